#include <algorithm>
#include <map>
#include <span>

#include "messages/matcher.h"
#include "messages/phrases.h"
#include "model/summary/summary_builder.h"
#include "model/summary/summary_parts.h"
#include "model/summary/usual_prefix.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

namespace {

/// A record to replay: a kept record (channel -1), or one of its further channels.
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
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.read_at < b.read_at; });
  return places;
}

/// Passes the records of a piece to the builder, after matching their messages again.
class Replay {
 public:
  Replay(ModelBuilder& builder, SourceId source) : builder_(builder), source_(source) {}

  void play(const SummaryPiece& piece) {
    for (const Place& place : places_of(piece)) give(piece, place);
  }

 private:
  void give(const SummaryPiece& piece, const Place& place) {
    const SummaryRecord& kept = *place.record;
    static const SummaryOrigin nobody;
    static const SummaryRest none;
    const SummaryRest& rest = kept.rest ? *kept.rest : none;
    const SummaryOrigin& from = kept.origin < piece.origins.size() ? piece.origins[kept.origin] : nobody;
    message_ = kept.message;
    if (place.channel >= 0) {
      const std::size_t digits = message_.find_first_not_of("0123456789", builder::channel_head(0).size() - 2);
      message_.replace(0, std::min(digits, message_.size()), builder::channel_head(place.channel));
    }
    text_ = rest.text.empty() ? (from.before ? *from.before : usual_prefix(from)) + message_ : rest.text.str();
    record_.at = {source_, place.line};
    record_.level = from.level;
    record_.damage = kept.damage;
    record_.origin = {};
    record_.origin.host = from.host;
    record_.origin.pid = from.pid;
    record_.origin.tid = from.tid;
    record_.origin.device = from.device;
    record_.origin.location = from.location;
    record_.origin.pod = from.pod;
    record_.origin.container = from.container;
    record_.origin.timestamp = rest.timestamp;
    record_.origin.time = rest.time;
    record_.message = message_;
    record_.text = text_;
    record_.times = kept.times;
    if (kept.read_as == ReadAs::unrecognized)
      record_.event = Unrecognized{};
    else if (kept.read_as == ReadAs::damaged)
      record_.event = Damaged{};
    else if (kept.read_as == ReadAs::phrase)
      record_.event = phrase_in(message_);
    else
      matcher_.match(rest.completed.empty() ? std::string_view{message_} : rest.completed.view(), record_.event);
    builder_.add(record_);
  }

  ModelBuilder& builder_;
  SourceId source_;
  const Matcher& matcher_ = standard_matcher();
  Record record_;
  std::string message_, text_;
};

/// Whether pieces with the same name are parts of one source: each starts at or after the end of the previous piece.
bool follow_each_other(std::span<const SummaryPiece> pieces) {
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (pieces[i - 1].lines_before + pieces[i - 1].stats.lines > pieces[i].lines_before || pieces[i].lines_before == 0)
      return false;
  return true;
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
  std::vector<SummaryPiece> pieces;

  void keep(SummaryPiece&& piece) {
    const auto place = std::lower_bound(pieces.begin(), pieces.end(), piece);
    if (place == pieces.end() || *place != piece) pieces.insert(place, std::move(piece));
  }
};

Summary::Summary(std::size_t max_processes) : impl_(new Impl{max_processes, {}, {}}) {}
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
  impl_->keep(std::move(piece));
}

void SummaryParts::add(Summary& summary, SummaryPiece piece) {
  std::stable_sort(piece.records.begin(), piece.records.end(),
                   [](const SummaryRecord& a, const SummaryRecord& b) { return a.read_at() < b.read_at(); });
  summary.impl_->keep(std::move(piece));
}

void Summary::merge(Summary other) {
  for (SummaryPiece& piece : other.impl_->pieces) impl_->keep(std::move(piece));
}

void Summary::replay(ModelBuilder& builder) const {
  const std::vector<SummaryPiece>& all = impl_->pieces;
  std::uint32_t source = 0;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].name == all[begin].name) ++end;
    const std::span<const SummaryPiece> group(all.data() + begin, end - begin);
    const std::size_t parts = follow_each_other(group) ? group.size() : 1;
    for (std::size_t first = 0; first < group.size(); first += parts) {
      ParseStats stats;
      Replay replay(builder, SourceId{source});
      for (const SummaryPiece& piece : group.subspan(first, parts)) {
        replay.play(piece);
        builder.leave_out(piece.left_out);
        stats += piece.stats;
      }
      builder.add_source(SourceId{source++}, group.front().name, stats);
    }
  }
}

ParseStats Summary::stats() const {
  ParseStats all;
  for (const SummaryPiece& piece : impl_->pieces) all += piece.stats;
  return all;
}

const std::vector<SummaryPiece>& SummaryParts::of(const Summary& summary) { return summary.impl_->pieces; }

}  // namespace nccl_analyze
