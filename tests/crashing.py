"""A child process that ends as one does whose native code writes where it may not."""

import os
import signal

os.kill(os.getpid(), signal.SIGSEGV)
