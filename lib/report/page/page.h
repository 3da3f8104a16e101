#pragma once
/// The style sheet and script of the HTML page, which cmake/embed_page.cmake embeds into the library.

#include <string_view>

namespace nccl_analyze {

struct PageFile {
  std::string_view text;
  std::string_view hash;  ///< `sha256-…`, for the page's Content-Security-Policy.
};
extern const PageFile page_style, page_script;

}  // namespace nccl_analyze
