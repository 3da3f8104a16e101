#!/bin/sh
# Summarises what systemd's journal of this machine holds: journal.sh [OPTION OF JOURNALCTL ...] >NODE.sum, such as
# `journal.sh --unit train.service --since -2h`. Without --all, journalctl leaves out messages of more than 4,096 bytes.
journalctl --output=json --all --no-pager "$@" | nccl-analyze -f summary --fail-on never
