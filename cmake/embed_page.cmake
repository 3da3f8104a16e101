# Writes the page's files as a C++ source, with the hashes by which its policy allows them:
# cmake -DSTYLE=page.css -DOUTPUT=page.cc -P embed_page.cmake
function(base64_of_hex hex result)
  set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "")
  string(LENGTH "${hex}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${hex}" ${at} 6 three)  # bytes, or what is left
    string(LENGTH "${three}" digits)
    string(SUBSTRING "${three}00000" 0 6 three)
    math(EXPR number "0x${three}")
    foreach(shift 18 12 6 0)
      math(EXPR letter "(${number} >> ${shift}) & 63")
      string(SUBSTRING ${letters} ${letter} 1 letter)
      string(APPEND text ${letter})
    endforeach()
    if(digits EQUAL 4)
      string(REGEX REPLACE ".$" "=" text "${text}")
    elseif(digits EQUAL 2)
      string(REGEX REPLACE "..$" "==" text "${text}")
    endif()
    math(EXPR at "${at} + 6")
  endwhile()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

file(READ ${STYLE} style)
string(SHA256 hash "${style}")
base64_of_hex(${hash} hash)
file(WRITE ${OUTPUT} "#include \"report/page/page.h\"\n\nnamespace nccl_analyze {\n\n"
  "extern constinit const std::string_view page_style = R\"page(${style})page\";\n"
  "extern constinit const std::string_view page_style_hash = \"sha256-${hash}\";\n\n}  // namespace nccl_analyze\n")
