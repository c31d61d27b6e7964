"""`python -m rereview`."""

from rereview.cli.main import main

main()
