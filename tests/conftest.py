"""Settings for all tests: how many examples Hypothesis tries, and that they are the same ones.

`SPANWISE_EXAMPLES=5000 pytest` looks further, with new examples each time; with fewer than usual it
is quicker.
"""

import os

from hypothesis import HealthCheck, settings

# No test talks to anybody: Haystack would report that it was used.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

USUAL = 200
wanted = int(os.environ.get("SPANWISE_EXAMPLES", USUAL))
settings.register_profile(
    "spanwise",
    max_examples=wanted,
    derandomize=wanted <= USUAL,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("spanwise")
