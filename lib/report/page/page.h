#pragma once
/// The style sheets and the script of the HTML page, which cmake/embed_page.cmake embeds into the library.

#include <string_view>

namespace nccl_analyze {

struct PageFile {
  std::string_view text;
  std::string_view hash;  ///< `sha256-…`, for the page's Content-Security-Policy.
};
extern const PageFile page_style, page_script;
extern const PageFile page_picture;  ///< The style sheet in each picture that Graphviz draws.

}  // namespace nccl_analyze
