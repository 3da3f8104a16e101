# What `cmake --install` puts where: library, headers, program, CMake package, pkg-config file, JSON schema.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nccl_analyze)

install(TARGETS nccl_analyze EXPORT nccl_analyze FILE_SET HEADERS)
install(EXPORT nccl_analyze NAMESPACE nccl_analyze:: FILE nccl_analyze-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/nccl_analyze-config.cmake.in nccl_analyze-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(nccl_analyze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/nccl_analyze-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/nccl_analyze-config-version.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH pc_include_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/nccl_analyze.pc.in nccl_analyze.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nccl_analyze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES lib/report/report.v1.schema.json lib/report/diff.v1.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/nccl_analyze)
if(NCCL_ANALYZE_BUILD_CLI)
  install(TARGETS nccl-analyze kubectl-nccl_analyze)
  install(PROGRAMS cli/kubectl/kubectl_complete-nccl_analyze TYPE BIN)
endif()
