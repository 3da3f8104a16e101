#pragma once
/// The report as a sequence of blocks, from which the HTML and Markdown writers build headings, lists and collapsible
/// sections. Strings are not escaped; each writer escapes them, except Advice, which is Markdown from the rules.

#include <cstddef>
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
struct Paragraph {
  Line line;
};
struct List {
  std::vector<Line> items;
};
/// Quoted log lines with their places, or shell commands. Writers neither wrap nor format them.
struct Verbatim {
  std::vector<std::string> lines;
  bool are_commands = false;  ///< Whether the lines are commands, which pages let readers copy.
};
/// Markdown from a rule: its explanation or a fix.
struct Advice {
  std::string markdown;
};
/// A table; every row has as many cells as the head.
struct TableBlock {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
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
  std::variant<Heading, Paragraph, List, Verbatim, Advice, TableBlock, Graph, TimelinePicture, Fold> content;
};

enum class Extent {
  ticket,  ///< Only the essentials, because issue trackers limit a text to about 64 KiB.
  page     ///< Everything, with graph, time line and tables of ranks, settings and communicators.
};

/// Arranges the whole report: verdict, suspects, findings and job, then notes, checks and input in collapsible
/// sections. The blocks refer to `model` and `report`, which must outlive them.
std::vector<Block> document_of(const Model& model, const Report& report, Extent extent);

}  // namespace nccl_analyze
