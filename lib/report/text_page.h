#pragma once
/// What the parts of the text report share: colours, paragraphs, quoted lines.

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "nccl_analyze/report.h"

namespace nccl_analyze {

struct Page {
  std::ostream& out;
  const Model& model;
  const Report& report;
  const TextOptions& options;
};

/// Of quotes, suspects and samples when the report is not verbose.
inline constexpr std::size_t max_quoted = 3;

inline constexpr std::string_view bold = "\x1b[1m";
inline constexpr std::string_view dim = "\x1b[2m";

std::string colored(const Page& page, std::string_view color, std::string_view text);
/// ERROR, WARNING, INFO, OK, UNKNOWN, each in its colour.
std::string colored_label(const Page& page, std::string_view label);

/// `text` as a link to the source of the line, where there are links.
std::string linked(const Page& page, LineRef at, const std::string& text);

void write_heading(const Page& page, std::string_view text);
/// `text` in a paragraph that begins at `indent` and hangs by `hang` more.
void write_paragraph(const Page& page, std::string_view text, std::size_t indent, std::size_t hang = 2);

/// A line of the log. Where the one above it is of the same source, `above`, its number is enough.
void write_quote(const Page& page, LineRef at, std::string_view text, std::size_t indent,
                 std::optional<SourceId> above = {});

}  // namespace nccl_analyze
