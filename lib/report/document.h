#pragma once
/// The report as blocks, for formats that have headings, lists and folds of their own. Text is as the log has it,
/// except for Advice: the writer of a format makes it safe.

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/timeline.h"

namespace nccl_analyze {

/// A line of text that may begin with a word to stand out.
struct Line {
  std::string strong, text;
};

struct Heading {
  int level = 1;
  std::string_view label;  ///< ERROR, WARNING, OK, UNKNOWN; empty where it is about no fault.
  Line line;
  std::string anchor;  ///< `NCA302-1`; empty where nothing links to it.
};
struct Paragraph {
  Line line;
};
struct List {
  std::vector<Line> items;
};
/// Lines of the log with their places, and what can be pasted into a shell: both are shown letter by letter.
struct Verbatim {
  std::vector<std::string> lines;
};
/// Markdown of ours.
struct Advice {
  std::string_view markdown;
};
/// All rows are as long as the head.
struct TableBlock {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// Communicators as pictures, in formats that can draw them.
struct Graph {
  std::vector<Index> communicators;
};

/// When ranks initialised and what failed when, in the same formats.
struct TimelinePicture {
  Timeline timeline;
};

struct Block;
/// What few readers need: closed until it is asked for.
struct Fold {
  Line summary;
  std::vector<Block> inside;
  std::string anchor = {};
};
struct Block {
  std::variant<Heading, Paragraph, List, Verbatim, Advice, TableBlock, Graph, TimelinePicture, Fold> content;
};

enum class Extent {
  ticket,  ///< What others must know: a forge takes 64 KiB.
  page     ///< With the graph, and tables of ranks, settings and communicators.
};

/// The whole report: verdict, suspects, findings, job, then folded what stands behind them. The model and the report
/// outlive it.
std::vector<Block> document_of(const Model& model, const Report& report, Extent extent);

}  // namespace nccl_analyze
