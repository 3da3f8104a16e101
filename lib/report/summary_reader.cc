// Reads summaries back, line by line. They come from users' files: every value is checked.

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "nccl_analyze/export.h"
#include "report/summary_prefix.h"

namespace nccl_analyze {

namespace {

using Json = nlohmann::json;

constexpr int max_channel = 255;
constexpr std::size_t max_line = std::size_t{1} << 26;  // bytes; a record of many channels is far below

/// The enumerator of this name.
template <class E>
E named(const std::string& name, E last) {
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (to_string(static_cast<E>(i)) == name) return static_cast<E>(i);
  throw std::runtime_error("\"" + name + "\" is not known; was it written by a newer nccl-analyze?");
}

/// What the lines of one input say, one after the other.
class Lines {
 public:
  explicit Lines(Summary& into) : into_(into) {}

  void line(const Json& json) {
    if (json.is_array())
      record(json);
    else if (json.contains("schema"))
      head(json);
    else if (!open_)
      throw std::runtime_error("it does not begin as a summary does");
    else if (json.contains("piece"))
      piece(json);
    else if (json.contains("origin"))
      origin(json.at("origin"));
    else
      end(json);
  }

  bool is_whole() const { return !open_ && summaries_ > 0; }

 private:
  void head(const Json& json) {
    if (open_) throw std::runtime_error("another summary begins before this one ends: it was cut");
    if (json.at("schema") != "nccl-analyze.summary") throw std::runtime_error("it is another kind of document");
    if (json.at("version") != 1) throw std::runtime_error("its version is not 1: use the nccl-analyze that wrote it");
    open_ = true;
    pieces_ = 0;
  }

  void piece(const Json& json) {
    keep();
    has_piece_ = true;
    piece_.name = json.at("piece").get<std::string>();
    piece_.lines_before = json.at("lines_before").get<std::uint64_t>();
    ParseStats& stats = piece_.stats;
    stats.bytes = json.at("bytes").get<std::uint64_t>();
    stats.lines = json.at("lines").get<std::uint64_t>();
    stats.nccl_lines = json.at("nccl_lines").get<std::uint64_t>();
    stats.unrecognized = json.at("unrecognized").get<std::uint64_t>();
    stats.malformed = json.at("malformed").get<std::uint64_t>();
    stats.truncated = json.at("truncated").get<std::uint64_t>();
    stats.damaged = json.at("damaged").get<decltype(stats.damaged)>();
  }

  void origin(const Json& json) {
    SummaryOrigin& made = piece_.origins.emplace_back();
    made.host = json.at(0).get<std::string>();
    made.pid = json.at(1).get<std::int64_t>();
    made.tid = json.at(2).get<std::int64_t>();
    made.device = json.at(3).get<int>();
    made.level = named(json.at(4).get<std::string>(), Level::outside);
    made.before = json.at(5).is_null() ? usual_prefix(made) : json.at(5).get<std::string>();
    if (json.size() < 9) return;
    made.pod = json.at(6).get<std::string>();
    made.container = json.at(7).get<std::string>();
    made.location = json.at(8).get<std::string>();
  }

  void record(const Json& json) {
    if (!has_piece_) throw std::runtime_error("a record stands outside of a piece");
    SummaryRecord& made = piece_.records.emplace_back();
    made.line = json.at(0).get<std::uint64_t>();
    made.origin = json.at(1).get<std::uint32_t>();
    if (made.origin >= piece_.origins.size()) throw std::runtime_error("a record names an origin that is not there");
    made.message = json.at(2).get<std::string>();
    made.read_at = made.line;
    if (json.size() < 4) return;
    const Json& rest = json.at(3);
    made.read_at = rest.value("read_at", made.line);
    made.times = std::max<std::uint64_t>(rest.value("times", std::uint64_t{1}), 1);
    if (rest.contains("damage")) made.damage = named(rest.at("damage").get<std::string>(), Damage::torn);
    if (rest.contains("read_as")) made.read_as = named(rest.at("read_as").get<std::string>(), ReadAs::phrase);
    made.completed = rest.value("completed", std::string());
    made.text = rest.value("text", std::string());
    made.timestamp = rest.value("timestamp", std::string());
    made.time = rest.value("time", std::string());
    if (!rest.contains("channels")) return;
    for (const Json& one : rest.at("channels")) {
      made.channels.emplace_back(one.at(0).get<std::uint64_t>(), one.at(1).get<int>());
      if (made.channels.back().second < 0 || made.channels.back().second > max_channel)
        throw std::runtime_error("a channel is out of range");
    }
  }

  void end(const Json& json) {
    keep();
    if (json.at("pieces").get<std::size_t>() != pieces_) throw std::runtime_error("pieces are missing");
    open_ = false;
    ++summaries_;
  }

  void keep() {
    if (!has_piece_) return;
    into_.add_piece(std::move(piece_));
    piece_ = {};
    has_piece_ = false;
    ++pieces_;
  }

  Summary& into_;
  SummaryPiece piece_;
  bool open_ = false, has_piece_ = false;
  std::size_t pieces_ = 0, summaries_ = 0;
};

}  // namespace

struct SummaryReader::Impl {
  explicit Impl(Summary& into) : lines(into) {}

  void line(std::string_view text) {
    ++number;
    if (text.empty() || !wrong.empty()) return;
    const std::string where = "line " + std::to_string(number) + ": ";
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !(json.is_array() || json.is_object())) {
      wrong = where + "this is no summary";
      return;
    }
    try {
      lines.line(json);
    } catch (const Json::exception&) {
      wrong = where + "this is not as `--format summary` writes it";
    } catch (const std::runtime_error& failure) {
      wrong = where + failure.what();
    }
  }

  Lines lines;
  std::uint64_t number = 0;
  std::string carry, wrong;
};

SummaryReader::SummaryReader(Summary& into) : impl_(new Impl(into)) {}
SummaryReader::~SummaryReader() = default;

bool SummaryReader::feed(std::string_view chunk) {
  for (std::size_t end = chunk.find('\n'); end != std::string_view::npos; end = chunk.find('\n')) {
    impl_->carry.append(chunk.substr(0, end));
    impl_->line(impl_->carry);
    impl_->carry.clear();
    chunk.remove_prefix(end + 1);
  }
  impl_->carry.append(chunk);
  if (impl_->carry.size() > max_line && impl_->wrong.empty()) impl_->wrong = "this is no summary: a line has no end";
  return impl_->wrong.empty();
}

std::string SummaryReader::finish() {
  impl_->line(impl_->carry);
  impl_->carry.clear();
  if (impl_->wrong.empty() && !impl_->lines.is_whole()) return "the summary ends before its last line; write it again";
  return impl_->wrong;
}

}  // namespace nccl_analyze
