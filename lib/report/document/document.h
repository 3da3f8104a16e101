#pragma once
/// The report as a sequence of blocks, which text, Markdown and HTML write as headings, lists and collapsible sections.
/// Strings are not escaped; each writer escapes them, except Advice, which is Markdown from the rules.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/timeline/timeline.h"

namespace nccl_analyze {

/// A line of text. `strong` is emphasised and precedes `text`; either may be empty.
struct Line {
  std::string strong, text;
};

struct Heading {
  int level = 1;
  std::string_view label;  ///< ERROR, WARNING, OK or UNKNOWN for the verdict, the severity for a finding, else empty.
  Line line;
  std::string anchor;  ///< Target of links, such as `NCA302-1`; empty if nothing links to the heading.
};
/// A paragraph without `text` is the label of the next block.
struct Paragraph {
  Line line;
};
struct List {
  std::vector<Line> items;
  bool marked = false;  ///< Whether `strong` is a mark before the item; the marks of a list are equally wide.
};
/// A line of the log and its place, `worker-0.log:36`, both escaped by visible(). `text` is empty if it is not shown.
struct QuotedLine {
  LineRef at;
  std::string place, text;
};
struct Quotes {
  std::vector<QuotedLine> lines;
  std::uint64_t more = 0;  ///< The number of further lines, which are only counted.
};
/// Returns the quotes as lines `worker-0.log:36: text`, with a last line for those that are only counted.
std::vector<std::string> lines_of(const Quotes& quotes);

/// Shell commands, which writers leave as they are, because readers copy them.
struct Commands {
  std::vector<std::string> lines;
};
/// Markdown from a rule: its explanation or a fix.
struct Advice {
  std::string markdown;
};
/// A table; every row has as many cells as the head.
struct TableBlock {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  /// Only of a table whose columns but the first hold answers (`ok`, `?` for unknown, else a failure): whether all
  /// answers of each of these columns are `ok`, those of rows that are left out included.
  std::vector<bool> all_ok = {};
};

/// The graphs of these communicators; formats without pictures skip the block.
struct Graph {
  std::vector<Index> communicators;
};

/// The time line of initialisations and failures; formats without pictures skip the block.
struct TimelinePicture {
  Timeline timeline;
};

struct Block;
/// Details that few readers need, shown as a collapsed section.
struct Fold {
  Line summary;
  std::vector<Block> inside;
  std::string anchor = {};
};
struct Block {
  std::variant<Heading, Paragraph, List, Quotes, Commands, Advice, TableBlock, Graph, TimelinePicture, Fold> content;
};

enum class Extent {
  terminal,  ///< What fits a screen: a few items of each kind, and notes that are alike only once.
  verbose,   ///< As `terminal`, with all suspects, steps, notes and failures, and what rules and messages mean.
  ticket,    ///< Only the essentials, because issue trackers limit a text to about 64 KiB.
  page       ///< Everything, with graph, time line and tables of ranks, settings and communicators.
};

/// Arranges the whole report. A ticket and a page begin with verdict, findings and next steps, and have notes, checks
/// and input in collapsible sections. On a terminal the next steps come last, because its last lines are seen first.
/// The blocks refer to `model` and `report`, which must outlive them.
std::vector<Block> document_of(const Model& model, const Report& report, Extent extent);

}  // namespace nccl_analyze
