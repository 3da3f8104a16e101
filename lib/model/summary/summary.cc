#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/stable_sort.h"
#include "model/summary/replay.h"
#include "model/summary/summary_builder.h"
#include "model/summary/summary_parts.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

namespace {

using Pieces = std::vector<const PackedPieces::value_type*>;

/// Whether pieces with the same name are parts of one source: each except the first starts at or after the end of the
/// previous piece.
bool follow_each_other(const Pieces& pieces) {
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const SummaryHead& before = pieces[i - 1]->first.head;
    const std::uint64_t start = pieces[i]->first.head.lines_before;
    if (before.lines_before + before.stats.lines > start || start == 0) return false;
  }
  return true;
}

/// Returns the node of the first writer of a piece; empty if it is unknown.
std::string_view node_of(const PackedPieces::value_type& piece) {
  return piece.second.empty() ? std::string_view{} : piece.second.begin()->node.view();
}

/// A source with its parts.
struct SourceParts {
  std::string name;
  Pieces pieces;
};

/// Divides pieces with the same name into sources. Nodes may have different files of the same name: their pieces do not
/// follow each other, and the node then becomes a part of the name.
std::vector<SourceParts> sources_of(const Pieces& pieces) {
  const std::string& name = pieces.front()->first.head.name;
  if (follow_each_other(pieces)) return {{name, pieces}};
  std::map<std::string_view, Pieces> nodes;
  for (const auto* const piece : pieces) nodes[node_of(*piece)].push_back(piece);
  std::vector<SourceParts> sources;
  for (const auto& [node, on_node] : nodes) {
    const std::string full = node.empty() || nodes.size() == 1 ? name : std::string(node) + ":" + name;
    if (follow_each_other(on_node))
      sources.push_back({full, on_node});
    else
      for (const auto* const piece : on_node) sources.push_back({full, {piece}});
  }
  return sources;
}

/// Returns the pieces from `piece` on that have its name, and moves `piece` behind them.
Pieces same_name_from(PackedPieces::const_iterator& piece, PackedPieces::const_iterator end) {
  Pieces same_name;
  const std::string& name = piece->first.head.name;
  for (; piece != end && piece->first.head.name == name; ++piece) same_name.push_back(&*piece);
  return same_name;
}

/// Replays the sources of a summary in the order of their names.
class SourceReplay {
 public:
  /// `sources`: how many there will be, as far as this is known.
  SourceReplay(ModelBuilder& builder, std::size_t sources) : builder_(builder), replay_(builder), expected_(sources) {}

  /// `same_name`: all pieces with a name.
  void play(const Pieces& same_name) {
    for (const SourceParts& source : sources_of(same_name)) {
      ParseStats stats;
      replay_.begin_source(SourceId{number_});
      for (const auto* const part : source.pieces) {
        const SummaryHead& head = part->first.head;
        replay_.play(part->first);
        builder_.leave_out(head.left_out);
        stats += head.stats;
      }
      builder_.add_source(SourceId{number_++}, source.name, stats);
      if (number_ == expected_ / part_read) builder_.impl().expect_sources(number_, expected_);
    }
  }

 private:
  ModelBuilder& builder_;
  builder::Replay replay_;
  static constexpr std::size_t part_read = 16;  ///< The first sources of so many show what the others will have.
  std::size_t expected_;
  std::uint32_t number_ = 0;  ///< Of the next source.
};

}  // namespace

std::string_view to_string(ReadAs read_as) {
  constexpr std::string_view names[] = {"row", "unrecognized", "damaged", "phrase"};
  return names[static_cast<std::size_t>(read_as)];
}

struct Summary::Impl {
  std::size_t max_processes;
  std::map<SourceId, builder::SummaryBuilder> open;
  PackedPieces pieces;
  SummaryParts::Writers writers;
};

Summary::Summary(std::size_t max_processes) : impl_(new Impl{max_processes, {}, {}, {}}) {}
Summary::Summary(Summary&&) noexcept = default;
Summary& Summary::operator=(Summary&&) noexcept = default;
Summary::~Summary() = default;

void Summary::add(const Record& record) {
  impl_->open.try_emplace(record.at.source, impl_->max_processes).first->second.add(record);
}

void Summary::add_source(SourceId source, std::string_view name, const ParseStats& stats, std::uint64_t lines_before) {
  SummaryPiece piece = impl_->open.try_emplace(source, impl_->max_processes).first->second.finish();
  impl_->open.erase(source);
  piece.name = name;
  piece.stats = stats;
  piece.lines_before = lines_before;
  impl_->pieces[pack(piece)];
}

void Summary::merge(Summary other) {
  impl_->pieces.merge(other.impl_->pieces);
  for (const auto& [piece, writers] : other.impl_->pieces) impl_->pieces[piece].insert(writers.begin(), writers.end());
  for (auto& [writer, left_out] : other.impl_->writers) SummaryParts::add(*this, writer, std::move(left_out));
}

void Summary::replay(ModelBuilder& builder) const {
  SourceReplay replay(builder, impl_->pieces.size());
  for (auto piece = impl_->pieces.cbegin(); piece != impl_->pieces.cend();)
    replay.play(same_name_from(piece, impl_->pieces.cend()));
}

ParseStats Summary::stats() const {
  ParseStats all;
  for (const auto& [piece, writers] : impl_->pieces) all += piece.head.stats;
  return all;
}

const PackedPieces& SummaryParts::of(const Summary& summary) { return summary.impl().pieces; }

void SummaryParts::add(Summary& summary, SummaryPiece piece, const std::set<SummaryWriter>& writers) {
  sort_stably(piece.records, [](const SummaryRecord& a, const SummaryRecord& b) { return a.read_at() < b.read_at(); });
  summary.impl().pieces[pack(piece)].insert(writers.begin(), writers.end());
}

void SummaryParts::replay_and_empty(Summary&& summary, ModelBuilder& builder) {
  PackedPieces pieces = std::move(summary.impl().pieces);
  summary.impl().pieces.clear();
  SourceReplay replay(builder, pieces.size());
  while (!pieces.empty()) {
    PackedPieces::const_iterator end = pieces.begin();
    replay.play(same_name_from(end, pieces.end()));
    pieces.erase(pieces.begin(), end);
  }
}

Summary SummaryParts::copy_of(const Summary& summary) {
  Summary copy(summary.impl().max_processes);
  copy.impl().pieces = summary.impl().pieces;
  copy.impl().writers = summary.impl().writers;
  return copy;
}

const SummaryParts::Writers& SummaryParts::writers_of(const Summary& summary) { return summary.impl().writers; }

void SummaryParts::add(Summary& summary, const SummaryWriter& writer, std::set<std::string> left_out) {
  summary.impl().writers[writer].merge(left_out);
}

void SummaryParts::sign(Summary& summary, const SummaryWriter& writer) {
  for (auto& [piece, writers] : summary.impl().pieces)
    if (writers.empty()) writers.insert(writer);
}

void sign_summary(Summary& summary, const SummaryWriter& writer, const std::vector<std::string>& left_out) {
  SummaryParts::sign(summary, writer);
  SummaryParts::add(summary, writer, {left_out.begin(), left_out.end()});
}

std::vector<SummarySignature> signatures_of(const Summary& summary) {
  std::vector<SummarySignature> signatures;
  for (const auto& [writer, left_out] : SummaryParts::writers_of(summary))
    signatures.push_back({writer, {left_out.begin(), left_out.end()}});
  return signatures;
}

}  // namespace nccl_analyze
