# Writes files as they are as a C++ source:
# cmake -DTEXTS=name=file;name=file -DHEADER=texts.h -DOUTPUT=texts.cc -P embed_texts.cmake
set(source "#include \"${HEADER}\"\n\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace nccl_analyze {\n\nusing namespace std::string_view_literals;\n\n")
foreach(text ${TEXTS})
  string(REGEX MATCH "^([^=]*)=(.*)$" text "${text}")
  file(READ ${CMAKE_MATCH_2} content)
  string(APPEND source "extern constinit const std::string_view ${CMAKE_MATCH_1} = R\"text(${content})text\"sv;\n")
endforeach()
file(WRITE ${OUTPUT} "${source}\n}  // namespace nccl_analyze\n")
