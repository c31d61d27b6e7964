"""What every test stands on."""

import signal

# A test run in the background of a script is deaf to Ctrl-C, and so would be what it starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
