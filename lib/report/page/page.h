#pragma once
/// The files of the HTML page, as cmake/embed_page.cmake puts them into the library.

#include <string_view>

namespace nccl_analyze {

extern const std::string_view page_style;
extern const std::string_view page_style_hash;  ///< `sha256-…`, for the page's Content-Security-Policy.

}  // namespace nccl_analyze
