"""Incremental runs: what is already known of the sources, what changed, and outputs that follow.

locking      one run at a time
manifest     what each source was when it was last cut, in one SQLite file
scanning     the sources there are now, and what is to be done with each
delta        what brings a store up to date, as a set operation and as JSON lines
outputs      files that are written as a whole
runs         runs that are over: whose output there is, and committing the one that waits
syncing      the run itself; its docstring tells the order of things
status       what the next run would find
"""
