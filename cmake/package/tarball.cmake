# Writes the archive of the portable program:
# cmake -DBUILD=build/release -DSOURCE=. -DNAME=nccl-analyze-v1-x86_64-linux -DOUTPUT=DIRECTORY -DPROGRAMS=FILE;...
#       -DPACKAGES=libre2-dev;... -DDOCS=/usr/share/doc -P tarball.cmake
# PROGRAMS are the static programs, PACKAGES the Debian packages of the libraries in them, whose licences in DOCS come
# along.

set(folder ${OUTPUT}/${NAME})
set(installed ${OUTPUT}/installed)
file(REMOVE_RECURSE ${folder} ${installed})
file(COPY ${PROGRAMS} ${SOURCE}/README.md ${SOURCE}/LICENSE DESTINATION ${folder})

# Manual pages, completions and scripts are those that are installed with the program.
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component program --prefix ${installed}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages ${installed}/share/man/man1/*)
file(GLOB completions ${installed}/share/bash-completion/completions/* ${installed}/share/zsh/vendor-completions/*
  ${installed}/share/fish/vendor_completions.d/*)
file(GLOB scripts ${installed}/bin/kubectl_complete-*)
file(COPY ${scripts} DESTINATION ${folder})
file(COPY ${pages} DESTINATION ${folder}/man)
file(COPY ${completions} DESTINATION ${folder}/autocomplete)
if(EXISTS ${folder}/autocomplete/nccl-analyze)
  file(RENAME ${folder}/autocomplete/nccl-analyze ${folder}/autocomplete/nccl-analyze.bash)
endif()
file(REMOVE_RECURSE ${installed})

file(MAKE_DIRECTORY ${folder}/licenses)
foreach(package IN LISTS PACKAGES)
  if(EXISTS ${DOCS}/${package}/copyright)
    file(COPY_FILE ${DOCS}/${package}/copyright ${folder}/licenses/${package})
  else()
    message(WARNING "The licence of ${package} is missing in ${DOCS}; add it before you pass the archive on")
  endif()
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} -E tar cz ${OUTPUT}/${NAME}.tar.gz ${NAME} WORKING_DIRECTORY ${OUTPUT}
  COMMAND_ERROR_IS_FATAL ANY)
