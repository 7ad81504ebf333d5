"""`spanwise sync`, `status` and `ack`: chunks that follow their sources, and what changed."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.doors.cli.options import (
    bulk_option,
    chunk_options,
    document_options,
    json_option,
    mdx_option,
)
from spanwise.doors.cli.output import put, put_json, report
from spanwise.doors.cli.work import Progress

if TYPE_CHECKING:
    from spanwise.formats import Settings
    from spanwise.store.status import Status
    from spanwise.store.syncing import Report

manifest_option = click.option(
    "--manifest", metavar="FILE", default=".spanwise/manifest.db", show_default=True,
    help="The SQLite file with what is known of the sources; one for each output.",
)  # fmt: skip


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-o", "--out", metavar="FILE", required=True, help="The chunks of all sources.")
@click.option("--delta", metavar="FILE", required=True, help="What has changed since.")
@click.option(
    "--pending", is_flag=True, help="Take it as done only after `spanwise ack RUN` says so."
)
@click.option(
    "--verify", is_flag=True, help="Read every source and every old chunk, whatever the times say."
)
@bulk_option
@manifest_option
@chunk_options
@mdx_option
@document_options
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N",
    help="Worker processes. Default: one for each core, none for small inputs.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
@json_option
def sync(
    paths: tuple[str, ...],
    out: str,
    delta: str,
    pending: bool,
    verify: bool,
    bulk_index: str | None,
    manifest: str,
    jobs: int | None,
    quiet: bool,
    as_json: bool,
    settings: "Settings",
    **options: Any,
) -> int:
    """Bring chunks in step with their sources, and tell what that changed.

    FILE of --out is what `spanwise chunk` would write, JSON lines or *.parquet. Sources with the
    size and time they had the last time are not read again; with other options all are, and chunks
    that come out the same are no change. The delta has one JSON object a line: `upsert` with a row,
    `delete` with a chunk_id, `move` with a row whose text was there before, in another place, and
    at the end a `summary`. A delta called *.bulk is for `_bulk` of Elasticsearch and OpenSearch.

    A source is removed only where a folder that is a PATH was searched without a fault and does not
    have it any more. What the PATHs do not reach stays as it is, and so does what cannot be read.

    Both files are there whole or as they were. With --pending, until `spanwise ack RUN`, each run
    tells of all changes since the last one that was acknowledged.

    \b
    spanwise sync docs -o chunks.jsonl --delta delta.jsonl
    spanwise sync docs -o chunks.jsonl --delta delta.jsonl --pending && load && spanwise ack RUN
    """
    import gc

    from spanwise import __version__
    from spanwise.markdown.options import ChunkOptions
    from spanwise.store.scanning import config_id
    from spanwise.store.syncing import Call
    from spanwise.store.syncing import sync as run
    from spanwise.tokens import counter_of

    if "-" in (*paths, out, delta):
        raise click.UsageError("sync reads and writes files; `-` is none.")
    gc.disable()  # rows have no cycles, and looking for some takes a fifth of the time
    chosen = ChunkOptions(**options)
    counter = counter_of(chosen.tokenizer)
    done = run(
        Call(
            paths=paths,
            output=out,
            delta=delta,
            manifest=Path(manifest),
            options=chosen,
            settings=settings,
            config=config_id(chosen, counter.name if counter else None, settings, __version__),
            told={
                "paths": list(paths),
                "options": asdict(chosen),
                "settings": settings.choices(),
            },
            counter=counter,
            jobs=jobs,
            verify=verify,
            pending=pending,
            bulk_index=bulk_index,
        ),
        lambda total, results: Progress(total, quiet).over(results),
    )
    return told_of(done, quiet, as_json)


def told_of(done: "Report", quiet: bool, as_json: bool) -> int:
    """Say what a run did; the exit status."""
    if as_json:
        errors = [error.as_dict() for error in done.faults]
        answer: dict[str, Any] = {
            "ok": not errors,
            "run": done.run,
            "base": done.base,
            "pending": done.pending,
            "upserts": done.upserts,
            "deletes": done.deletes,
            "moves": done.moves,
            "count": done.chunks,
            "sources": done.sources,
            "read": done.read,
            "notices": [dict(notice) | {"source": source} for source, notice in done.notices],
        }
        put_json(answer | ({"error": errors[0]} if errors else {}) | {"errors": errors})
        return 1 if errors else 0
    for source, notice in done.notices:
        click.echo(f"warning: {source}: {notice['message']}", err=True)
    for error in done.faults:
        report(error)
    if not quiet:
        changes = f"{done.upserts} new, {done.deletes} deleted, {done.moves} moved"
        waits = f"; waits for `spanwise ack {done.run}`" if done.pending else ""
        click.echo(f"Run {done.run}: {done.chunks} chunks, {changes}{waits}", err=True)
    return 1 if done.faults else 0


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@manifest_option
@json_option
def status(paths: tuple[str, ...], manifest: str, as_json: bool) -> int:
    """Show what `spanwise sync` would find changed, and whether a run waits for `spanwise ack`.

    PATHs and options are those of the last run, unless PATHs are given. Nothing is cut or written;
    only files with another size or time are read.

    \b
    spanwise status
    spanwise status docs --json
    """
    from spanwise import __version__
    from spanwise.errors import UnreadableSource
    from spanwise.files import source_name
    from spanwise.formats import Settings
    from spanwise.markdown.options import ChunkOptions
    from spanwise.store.manifest import Manifest
    from spanwise.store.scanning import config_id
    from spanwise.store.status import status as found_by
    from spanwise.tokens import counter_of

    path = Path(manifest)
    name = source_name(manifest)
    if not path.exists():
        raise UnreadableSource(f"{name}: no such file; nothing was synced yet", source=name)
    with Manifest(path) as opened:
        if not opened.output:
            raise UnreadableSource(f"{name}: nothing was synced yet", source=name)
        options = ChunkOptions(**opened.call.get("options", {}))
        settings = Settings(**opened.call.get("settings", {}))
        counter = counter_of(options.tokenizer)
        config = config_id(options, counter.name if counter else None, settings, __version__)
        output = str(path.parent / opened.output)
        found = found_by(opened, output, paths or opened.call.get("paths", []), config)
    return shown(found, as_json)


def shown(found: "Status", as_json: bool) -> int:
    """Print what was found; the exit status."""
    lists = {
        "new": found.new,
        "changed": found.changed,
        "recut": found.recut,
        "removed": found.removed,
        "unreadable": found.unreadable,
    }
    if as_json:
        errors = [error.as_dict() for error in found.faults]
        waiting = found.waiting
        answer = {
            "ok": not errors,
            "run": found.run,
            "waiting": waiting and {"run": waiting.id, "finished": waiting.placed},
            "output_as_left": found.output_as_left,
            **lists,
            "unchanged": found.unchanged,
            "outside": found.outside,
        }
        put_json(answer | ({"error": errors[0]} if errors else {}) | {"errors": errors})
        return 1 if errors else 0
    for what, sources in lists.items():
        put("".join(f"{what:<10} {source}\n" for source in sources).encode())
    sys.stdout.flush()  # before what goes to stderr, where both are one
    for error in found.faults:
        report(error)
    click.echo(f"{found.unchanged} unchanged", err=True)
    if found.outside:
        click.echo(f"{found.outside} not below these paths, left as they are", err=True)
    if not found.output_as_left:
        click.echo("the output is not the file that the last run wrote", err=True)
    if found.waiting is not None:
        after = f"waits for `spanwise ack {found.waiting.id}`"
        state = after if found.waiting.placed else "was not finished"
        click.echo(f"run {found.waiting.id} {state}", err=True)
    return 1 if found.faults else 0


@click.command()
@click.argument("run", metavar="RUN")
@manifest_option
@json_option
def ack(run: str, manifest: str, as_json: bool) -> int:
    """Say that the delta of a `spanwise sync --pending` has been loaded.

    RUN is the id that `sync` prints, also in the last line of the delta. Until then, each run tells
    of its changes again. To say it twice does no harm.

    \b
    spanwise ack b948845a6818884d
    """
    from spanwise.store.runs import acknowledge

    done = acknowledge(Path(manifest), run)
    if as_json:
        put_json({"ok": True, "run": run})
    else:
        click.echo(f"Run {run} {done}", err=True)
    return 0
