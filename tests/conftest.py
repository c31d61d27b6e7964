"""What every test stands on."""

import signal

from hypothesis import HealthCheck, settings

# A test run in the background of a script is deaf to Ctrl-C, and so would be what it starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No verdict hangs on how busy the machine is, nor on which examples are drawn today (`make explore` draws
# others).
ANYWHERE = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}
settings.register_profile("steady", derandomize=True, **ANYWHERE)
settings.register_profile("explore", print_blob=True, **ANYWHERE)
settings.load_profile("steady")
