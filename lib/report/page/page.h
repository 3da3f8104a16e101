#pragma once
/// The files of the HTML page, as cmake/embed_page.cmake puts them into the library.

#include <string_view>

namespace nccl_analyze {

struct PageFile {
  std::string_view text;
  std::string_view hash;  ///< `sha256-…`, for the page's Content-Security-Policy.
};
extern const PageFile page_style, page_script;

}  // namespace nccl_analyze
