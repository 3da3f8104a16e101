# CPack runs this before it makes Debian packages: adds to each the texts that Debian expects, and packs manual pages.
# The staging folder has a folder for each component.

# Packs a file so that the same text gives the same bytes.
function(pack file)
  execute_process(COMMAND gzip -n -9 -f ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The library of the Python package is installed as a file, which CPack does not strip.
file(GLOB libraries ${CPACK_TEMPORARY_DIRECTORY}/python/usr/lib/python3/dist-packages/*/*.so*)
foreach(library IN LISTS libraries)
  execute_process(COMMAND strip --strip-unneeded ${library} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(docs ${root}/doc/${package})
  file(COPY ${CPACK_NCCL_ANALYZE_SOURCE}/cmake/package/copyright DESTINATION ${docs}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  configure_file(${CPACK_NCCL_ANALYZE_TEXTS}/changelog ${docs}/changelog.Debian COPYONLY)
  configure_file(${CPACK_NCCL_ANALYZE_SOURCE}/CHANGELOG.md ${docs}/changelog COPYONLY)
  file(GLOB pages ${root}/man/man*/*)
  foreach(text IN LISTS pages ITEMS ${docs}/changelog.Debian ${docs}/changelog)
    pack(${text})
  endforeach()
  configure_file(${CPACK_NCCL_ANALYZE_SOURCE}/cmake/package/lintian-overrides ${root}/lintian/overrides/${package}
    COPYONLY)
endforeach()
