# Packages: `cpack -G DEB` makes Debian packages of the components of cmake/install.cmake, and the target `tarball` an
# archive of the portable program. Both are written to packages/ of the build folder.

set(packages_dir ${PROJECT_BINARY_DIR}/packages)
set(NCCL_ANALYZE_CONTACT "nccl-analyze maintainers <maintainers@nccl-analyze.example>" CACHE STRING
    "Who is named as the maintainer of the packages")

set(CPACK_GENERATOR DEB)
set(CPACK_OUTPUT_FILE_PREFIX ${packages_dir})
set(CPACK_PACKAGE_NAME nccl-analyze)
set(CPACK_PACKAGE_CONTACT ${NCCL_ANALYZE_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
get_cmake_property(components COMPONENTS)
set(CPACK_COMPONENTS_ALL "")
foreach(component program c_library development python)
  if(component IN_LIST components)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
  endif()
endforeach()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "analyzer of NCCL logs of GPU jobs")
set(about "nccl-analyze reads what a distributed GPU job prints under NCCL_DEBUG=INFO
and reports what the job is, whether it is healthy, what is wrong, which lines
prove it and what to do.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME nccl-analyze)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION ${about})
set(c_library_package libnccl-analyze-c${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_NAME ${c_library_package})
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/package/triggers)
set(CPACK_DEBIAN_C_LIBRARY_DESCRIPTION "${about}\n\nThis package holds the library that has a C interface.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libnccl-analyze-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${c_library_package} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libcmark-dev, libre2-dev, libzstd-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS nccl-analyze)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "${about}\n\nThis package holds the static library, its headers and the schemas of reports.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-nccl-analyze)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-distributed, python3-pandas")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "${about}\n\nThis package holds the Python package nccl_analyze.")

# The texts that every Debian package has.
string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/package/changelog.in package/changelog @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/complete_deb.cmake)
set(CPACK_NCCL_ANALYZE_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_NCCL_ANALYZE_TEXTS ${PROJECT_BINARY_DIR}/package)
include(CPack)

set(portable_name nccl-analyze-v${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}-linux)
if(TARGET nccl-analyze-portable)
  get_target_property(portable_packages nccl-analyze-portable NCCL_ANALYZE_PACKAGES)
  set(portable_targets "")
  set(portable_files "")
  foreach(program nccl-analyze kubectl-nccl_analyze)
    if(TARGET ${program}-portable)
      list(APPEND portable_targets ${program} ${program}-portable)
      list(APPEND portable_files $<TARGET_FILE:${program}-portable>)
    endif()
  endforeach()
  if(TARGET manual)
    list(APPEND portable_targets manual)
  endif()
  add_custom_target(tarball
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DDOCS=${CMAKE_SYSROOT}/usr/share/doc
            -DNAME=${portable_name} -DOUTPUT=${packages_dir}
            "-DPROGRAMS=${portable_files}" "-DPACKAGES=${portable_packages}"
            -P ${PROJECT_SOURCE_DIR}/cmake/package/tarball.cmake
    DEPENDS ${portable_targets}
    VERBATIM)
  set_target_properties(tarball PROPERTIES NCCL_ANALYZE_FOLDER ${packages_dir}/${portable_name})
endif()
