#!/bin/sh
# What rsyslog starts (omprog): reads lines as they come, and appends events as JSON to one file and what is new to
# another, such as findings and ranks that have started. Ends with rsyslog.
exec nccl-analyze --follow -f events >>/var/log/nccl/events.jsonl 2>>/var/log/nccl/news.log
