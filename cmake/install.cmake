# What `cmake --install` puts where. Each file belongs to a component, of which cmake/package.cmake makes a package:
# `program` with its completions, manual page and format for lnav; `c_library`, which programs in C or another language
# load; `development` for the library, headers, CMake package, pkg-config files and JSON schemas; `python`.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nccl_analyze)

install(TARGETS nccl_analyze EXPORT nccl_analyze COMPONENT development FILE_SET HEADERS COMPONENT development)
install(EXPORT nccl_analyze NAMESPACE nccl_analyze:: FILE nccl_analyze-targets.cmake DESTINATION ${package_dir}
  COMPONENT development)
configure_package_config_file(cmake/nccl_analyze-config.cmake.in nccl_analyze-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(nccl_analyze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/nccl_analyze-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/nccl_analyze-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)

file(RELATIVE_PATH pc_include_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
# What a static library needs, each program that is linked with it needs.
if(BUILD_SHARED_LIBS)
  set(pc_requires Requires.private)
else()
  set(pc_requires Requires)
endif()
configure_file(cmake/nccl_analyze.pc.in nccl_analyze.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nccl_analyze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

install(FILES lib/report/report.v1.schema.json lib/report/diff.v1.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/nccl_analyze COMPONENT development)
if(NCCL_ANALYZE_BUILD_CLI)
  install(TARGETS nccl-analyze kubectl-nccl_analyze COMPONENT program)
  install(PROGRAMS cli/kubectl/kubectl_complete-nccl_analyze TYPE BIN COMPONENT program)
  install(FILES cli/shell/nccl-analyze.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME nccl-analyze COMPONENT program)
  install(FILES cli/shell/_nccl-analyze DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
  install(FILES cli/shell/nccl-analyze.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    COMPONENT program)
  install(FILES examples/lnav/nccl.json DESTINATION ${CMAKE_INSTALL_DATADIR}/nccl_analyze/lnav COMPONENT program)
  # The program writes its manual page, so that there is none if it cannot run here, or if only it was built.
  install(FILES ${PROJECT_BINARY_DIR}/generated/nccl-analyze.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT program OPTIONAL)
  install(TARGETS nccl_analyze_c EXPORT nccl_analyze
    LIBRARY COMPONENT c_library NAMELINK_COMPONENT development FILE_SET HEADERS COMPONENT development)
  configure_file(cmake/nccl_analyze_c.pc.in nccl_analyze_c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nccl_analyze_c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
  # Debian's python3 looks here below /usr; below another prefix it takes PYTHONPATH. The package has a library of its
  # own, as the one that pip installs.
  set(python_dir lib/python3/dist-packages/nccl_analyze)
  install(DIRECTORY lib/python/nccl_analyze/ DESTINATION ${python_dir} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  install(FILES $<TARGET_FILE:nccl_analyze_c> DESTINATION ${python_dir} COMPONENT python
    RENAME libnccl_analyze_c.so.${PROJECT_VERSION_MAJOR})
endif()
