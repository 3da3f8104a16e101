# Packs the plugin for krew, kubectl's package manager, and writes its manifest:
#   cmake -DPROGRAMS=DIR -DSOURCE=DIR -DTO=DIR -Dversion=V -Darch=amd64 -Dhome=HOST/PATH -P krew.cmake
# PROGRAMS holds nccl-analyze and kubectl-nccl_analyze. TO gets the archive and nccl-analyze.yaml.

set(archive "kubectl-nccl_analyze-v${version}-linux-${arch}.tar.gz")
set(root "${TO}/root")
file(REMOVE_RECURSE "${root}")
file(COPY "${PROGRAMS}/nccl-analyze" "${PROGRAMS}/kubectl-nccl_analyze" "${SOURCE}/LICENSE" DESTINATION "${root}")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E tar czf "${TO}/${archive}" kubectl-nccl_analyze nccl-analyze LICENSE
  WORKING_DIRECTORY "${root}" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${root}")
file(SHA256 "${TO}/${archive}" sha256)
configure_file("${SOURCE}/cli/kubectl/nccl-analyze.yaml.in" "${TO}/nccl-analyze.yaml" @ONLY)
