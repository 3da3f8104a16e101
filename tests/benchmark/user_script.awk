# Four questions of somebody who looks into a log: how often each. benchmark.py measures it.
/NCCL INFO .*Init (START|COMPLETE)/ { init[$NF]++ }
/NCCL INFO Channel .* via / { transports[$NF]++ }
/NCCL WARN/ { warnings++ }
/NCCL INFO .*: opCount / { collectives++ }
END {
  for (state in init) print state, init[state]
  for (transport in transports) print transport, transports[transport]
  print warnings + 0, collectives + 0
}
