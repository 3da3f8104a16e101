#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "messages/matcher.h"
#include "messages/phrases.h"
#include "model/stable_sort.h"
#include "model/summary/old_facts.h"
#include "model/summary/summary_builder.h"
#include "model/summary/summary_parts.h"
#include "model/summary/usual_prefix.h"
#include "nccl_analyze/events/external.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "text/literal.h"
#include "text/traceback.h"

namespace nccl_analyze {

namespace {

/// A record to replay: a kept record (channel -1), or its repetition for another channel.
struct Place {
  std::uint64_t line = 0, read_at = 0;
  const SummaryRecord* record = nullptr;
  int channel = -1;
};

std::vector<Place> places_of(const SummaryPiece& piece) {
  std::vector<Place> places;
  for (const SummaryRecord& record : piece.records) {
    places.push_back({record.line, record.read_at(), &record, -1});
    if (!record.rest) continue;
    for (const auto& [line, channel] : record.rest->channels) places.push_back({line, line, &record, channel});
  }
  sort_stably(places, [](const Place& a, const Place& b) { return a.read_at < b.read_at; });
  return places;
}

/// Passes the records of a piece to the builder, after matching their messages again.
class Replay {
 public:
  Replay(ModelBuilder& builder, SourceId source) : builder_(builder), source_(source) {}

  void play(const SummaryPiece& piece) {
    prefixes_.clear();
    for (const SummaryOrigin& origin : piece.origins)
      prefixes_.push_back(origin.before ? *origin.before : usual_prefix(origin));
    const SummaryRecord* before = nullptr;
    for (const Place& place : places_of(piece)) {
      if (place.record != before || !change_channel(*place.record, place)) set_record(piece, place);
      builder_.add(record_);
      before = place.record;
    }
    senders_ += piece.origins.size();
  }

 private:
  /// Makes the record, which shows a connection, that of the same connection on the channel of `place`. This takes a
  /// small part of the time of matching the message again. Returns false if it is not certain that a match would give
  /// the same event.
  bool change_channel(const SummaryRecord& kept, const Place& place) {
    auto* const event = std::get_if<ChannelConnected>(&record_.event);
    if (event == nullptr || place.channel < 0 || event->channel < 0 || record_.is_fact ||
        (kept.rest && !kept.rest->completed.empty()))
      return false;
    const std::string head = builder::channel_head(event->channel), new_head = builder::channel_head(place.channel);
    if (new_head.size() != head.size() || !message_.starts_with(head) ||
        message_.find_first_not_of("0123456789", head.size()) != head.size())
      return false;
    // In place, so that the views of the event stay valid.
    if (kept.rest->text.empty())
      std::ranges::copy(new_head, text_.end() - static_cast<std::ptrdiff_t>(message_.size()));
    std::ranges::copy(new_head, message_.begin());
    event->channel = place.channel;
    record_.at = {source_, place.line};
    return true;
  }

  void set_record(const SummaryPiece& piece, const Place& place) {
    const SummaryRecord& kept = *place.record;
    static const SummaryOrigin nobody;
    static const SummaryRest none;
    const SummaryRest& rest = kept.rest ? *kept.rest : none;
    const bool is_known = kept.origin < piece.origins.size();
    const SummaryOrigin& from = is_known ? piece.origins[kept.origin] : nobody;
    set_message(kept.message, place.channel);
    if (rest.text.empty())
      text_.assign(is_known ? prefixes_[kept.origin] : usual_prefix(nobody)).append(message_);
    else
      text_ = rest.text.view();
    record_.at = {source_, place.line};
    record_.level = from.level;
    record_.damage = kept.damage;
    record_.sender = is_known ? senders_ + kept.origin + 1 : 0;
    set_origin(from, rest);
    record_.message = message_;
    record_.text = text_;
    record_.times = kept.times;
    record_.is_fact = set_fact(rest);
    if (!record_.is_fact) set_event(kept, rest);
  }

  /// Sets the message, for `channel` >= 0 with the number of this channel.
  void set_message(std::string_view message, int channel) {
    if (channel < 0) {
      message_ = message;
      return;
    }
    const std::size_t digits = message.find_first_not_of("0123456789", builder::channel_head(0).size() - 2);
    message_ = builder::channel_head(channel);
    message_ += message.substr(std::min(digits, message.size()));
  }

  void set_origin(const SummaryOrigin& from, const SummaryRest& rest) {
    record_.origin = {};
    record_.origin.host = from.host;
    record_.origin.pid = from.pid;
    record_.origin.tid = from.tid;
    record_.origin.device = from.device;
    record_.origin.location = from.location;
    record_.origin.pod = from.pod;
    record_.origin.container = from.container;
    record_.origin.decoration = from.tag;
    record_.origin.timestamp = rest.timestamp;
    record_.origin.time = rest.time;
  }

  /// Sets the event of a record that is not a fact, or of a fact that a summary stores as a sentence.
  void set_event(const SummaryRecord& kept, const SummaryRest& rest) {
    if (kept.read_as == ReadAs::unrecognized)
      record_.event = Unrecognized{};
    else if (kept.read_as == ReadAs::damaged)
      record_.event = Damaged{};
    else if (kept.read_as == ReadAs::phrase)
      record_.event = phrase_in(message_);
    else
      set_row(rest.completed.empty() ? std::string_view{message_} : rest.completed.view());
    record_.is_fact = record_.level == Level::external && std::holds_alternative<Unrecognized>(record_.event) &&
                      builder::read_old_fact(message_, record_.event);
    // Summaries that store facts as sentences have no quotes of them.
    if (record_.is_fact) record_.message = record_.text = {};
  }

  /// Sets the event of a record that a row of the message table matches, or of the line with the exception that ends a
  /// traceback, which needs no row.
  void set_row(std::string_view message) {
    if (matcher_.match(message, record_.event) != nullptr || record_.level != Level::external) return;
    if (const RaisedLine raised = read_raised(message)) record_.event = ProgramRaised{raised.exception, raised.words};
  }

  /// Whether the record is a fact. If so, sets its event and its quote.
  bool set_fact(const SummaryRest& rest) {
    if (rest.event.name.empty() || !read_event_text(rest.event, record_.event)) return false;
    record_.text = message_;
    record_.message = without_cut_marks(record_.text);
    return true;
  }

  ModelBuilder& builder_;
  SourceId source_;
  const Matcher& matcher_ = standard_matcher();
  Record record_;
  std::string message_, text_;
  std::vector<std::string> prefixes_;  ///< The text before the messages of each origin of the piece.
  std::uint64_t senders_ = 0;          ///< The origins of the pieces before.
};

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

/// Replays pieces with the same name. `number`: that of the next source.
void replay_sources(const Pieces& same_name, std::uint32_t& number, ModelBuilder& builder) {
  for (const SourceParts& source : sources_of(same_name)) {
    ParseStats stats;
    Replay replay(builder, SourceId{number});
    for (const auto* const part : source.pieces) {
      const SummaryHead& head = part->first.head;
      replay.play(unpack(part->first));
      builder.leave_out(head.left_out);
      stats += head.stats;
    }
    builder.add_source(SourceId{number++}, source.name, stats);
  }
}

}  // namespace

std::string usual_prefix(const SummaryOrigin& origin) {
  std::string prefix;
  builder::for_usual_prefix(origin, origin.level, [&prefix](std::string_view part) { prefix += part; });
  return prefix;
}

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
  std::uint32_t number = 0;
  for (auto piece = impl_->pieces.cbegin(); piece != impl_->pieces.cend();)
    replay_sources(same_name_from(piece, impl_->pieces.cend()), number, builder);
}

ParseStats Summary::stats() const {
  ParseStats all;
  for (const auto& [piece, writers] : impl_->pieces) all += piece.head.stats;
  return all;
}

const PackedPieces& SummaryParts::of(const Summary& summary) { return summary.impl_->pieces; }

void SummaryParts::add(Summary& summary, SummaryPiece piece, const std::set<SummaryWriter>& writers) {
  sort_stably(piece.records, [](const SummaryRecord& a, const SummaryRecord& b) { return a.read_at() < b.read_at(); });
  summary.impl_->pieces[pack(piece)].insert(writers.begin(), writers.end());
}

void SummaryParts::replay_and_empty(Summary&& summary, ModelBuilder& builder) {
  PackedPieces pieces = std::move(summary.impl_->pieces);
  summary.impl_->pieces.clear();
  std::uint32_t number = 0;
  while (!pieces.empty()) {
    PackedPieces::const_iterator end = pieces.begin();
    replay_sources(same_name_from(end, pieces.end()), number, builder);
    pieces.erase(pieces.begin(), end);
  }
}

Summary SummaryParts::copy_of(const Summary& summary) {
  Summary copy(summary.impl_->max_processes);
  copy.impl_->pieces = summary.impl_->pieces;
  copy.impl_->writers = summary.impl_->writers;
  return copy;
}

const SummaryParts::Writers& SummaryParts::writers_of(const Summary& summary) { return summary.impl_->writers; }

void SummaryParts::add(Summary& summary, const SummaryWriter& writer, std::set<std::string> left_out) {
  summary.impl_->writers[writer].merge(left_out);
}

void SummaryParts::sign(Summary& summary, const SummaryWriter& writer) {
  for (auto& [piece, writers] : summary.impl_->pieces)
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
