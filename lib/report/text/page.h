#pragma once
/// Colours, paragraphs and quoted lines, for all parts of the text report.

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

/// Limit on quotes, suspects and samples in a report that is not verbose.
inline constexpr std::size_t max_quoted = 3;

inline constexpr std::string_view bold = "\x1b[1m";
inline constexpr std::string_view dim = "\x1b[2m";

std::string colored(const Page& page, std::string_view color, std::string_view text);
/// Returns the escape sequence for the colour of a label: ERROR, WARNING, INFO, OK or UNKNOWN; empty for other words.
std::string_view label_color(std::string_view label);
/// Colours the labels ERROR, WARNING, INFO, OK and UNKNOWN, each in its own colour.
std::string colored_label(const Page& page, std::string_view label);

/// Returns `text` as a terminal hyperlink to the source that contains the log line `at`. If TextOptions::link is
/// empty or returns no URL, returns `text` unchanged.
std::string linked(const Page& page, LineRef at, const std::string& text);

void write_heading(const Page& page, std::string_view text);
/// Writes `text` as a paragraph. The first line is indented by `indent`, the others by `indent + hang`.
void write_paragraph(const Page& page, std::string_view text, std::size_t indent, std::size_t hang = 2);

/// Writes the place of a log line, then the quoted line. `above` is the source of the preceding quote; if it is also
/// the source of this line, the place is only the line number.
void write_quote(const Page& page, LineRef at, std::string_view text, std::size_t indent,
                 std::optional<SourceId> above = {});

}  // namespace nccl_analyze
