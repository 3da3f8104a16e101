// Reads summaries line by line. Summaries come from users, so every value is checked.

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/summary/plain_record.h"
#include "model/summary/summary_parts.h"
#include "nccl_analyze/model.h"
#include "text/rune.h"

namespace nccl_analyze {

namespace {

using Json = nlohmann::json;

constexpr std::size_t max_line = std::size_t{1} << 26;  // bytes; even records with many channels are far shorter

/// Returns the enumerator with this name; throws if there is none.
template <class E>
E named(const std::string& name, E last) {
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (to_string(static_cast<E>(i)) == name) return static_cast<E>(i);
  throw std::runtime_error("\"" + name + "\" is not known; was it written by a newer nccl-analyze?");
}

/// Returns a whole number; throws if the value is none or does not fit T.
template <class T>
T number_of(const Json& json) {
  if (json.is_number_unsigned()) {
    if (const auto value = json.get<std::uint64_t>(); std::in_range<T>(value)) return static_cast<T>(value);
  } else if (json.is_number_integer()) {
    if (const auto value = json.get<std::int64_t>(); std::in_range<T>(value)) return static_cast<T>(value);
  }
  throw std::runtime_error("this is not as `--format summary` writes it");
}

/// Decodes log text that write_bytes() in summary_writer.cc encoded.
std::string text_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  std::string bytes;
  std::string_view left = json.at("latin1").get_ref<const std::string&>();
  while (!left.empty()) {
    const Rune rune = first_rune(left);
    if (!rune.valid || rune.value > 0xFF) throw std::runtime_error("a text holds what is no byte");
    bytes += static_cast<char>(rune.value);
    left.remove_prefix(rune.size);
  }
  return bytes;
}

}  // namespace

/// Parses the lines of one input in order, and adds their pieces to a Summary.
class SummaryLines {
 public:
  explicit SummaryLines(Summary& into) : into_(into) {}

  void line(const Json& json) {
    if (json.is_array())
      record(json);
    else if (json.contains("schema"))
      head(json);
    else if (!open_)
      throw std::runtime_error("it does not begin as a summary does");
    else if (json.contains("writer"))
      writer(json);
    else if (json.contains("piece"))
      piece(json);
    else if (json.contains("origin"))
      origin(json.at("origin"));
    else
      end(json);
  }

  /// Reads a record of the usual form. Returns false for any other line.
  bool plain_record(std::string_view line) {
    SummaryRecord made;
    if (!has_piece_ || !builder::read_plain_record(line, made) || made.origin >= piece_.origins.size()) return false;
    piece_.records.push_back(std::move(made));
    return true;
  }

  bool is_whole() const { return !open_ && summaries_ > 0; }

 private:
  void head(const Json& json) {
    if (open_) throw std::runtime_error("another summary begins before this one ends: it was cut");
    if (json.at("schema") != "nccl-analyze.summary") throw std::runtime_error("it is another kind of document");
    const Json& version = json.at("version");
    if (version != 1 && version != 2 && version != 3)
      throw std::runtime_error("its version is not known: use the nccl-analyze that wrote it");
    open_ = true;
    pieces_ = 0;
    writers_.clear();
  }

  // Version 1 has no writers.
  void writer(const Json& json) {
    const Json& from = json.at("writer");
    SummaryWriter& writer = writers_.emplace_back();
    for (const auto& [name, text] : {std::pair{"job", &writer.job}, std::pair{"step", &writer.step},
                                     std::pair{"node", &writer.node}, std::pair{"tool", &writer.tool}})
      if (from.contains(name)) *text = text_of(from.at(name));
    std::set<std::string> left_out;
    if (json.contains("left_out"))
      for (const Json& sentence : json.at("left_out")) left_out.insert(text_of(sentence));
    SummaryParts::add(into_, writer, std::move(left_out));
  }

  void piece(const Json& json) {
    keep();
    has_piece_ = true;
    piece_.name = text_of(json.at("piece"));
    if (json.contains("writers")) writers_of_piece(json.at("writers"));
    piece_.lines_before = number_of<std::uint64_t>(json.at("lines_before"));
    ParseStats& stats = piece_.stats;
    for (const auto& [name, count, is_always_written] : counts_of_piece)
      if (is_always_written || json.contains(name)) stats.*count = number_of<std::uint64_t>(json.at(name));
    if (json.contains("left_out")) piece_.left_out = number_of<std::uint64_t>(json.at("left_out"));
    if (json.contains("places"))
      for (const Json& run : json.at("places"))
        stats.places.add(number_of<std::uint64_t>(run.at(0)), number_of<std::uint64_t>(run.at(1)),
                         number_of<std::int64_t>(run.at(2)));
    if (json.contains("documents")) read_documents(json, stats);
    for (std::size_t i = 0; i < stats.damaged.size(); ++i)
      stats.damaged[i] = number_of<std::uint64_t>(json.at("damaged").at(i));
  }

  static void read_documents(const Json& json, ParseStats& stats) {
    const Json& bounds = json.at("documents");
    for (std::size_t i = 0; i + 1 < bounds.size(); i += 2)
      stats.note_document({number_of<std::uint64_t>(bounds.at(i)), number_of<std::uint64_t>(bounds.at(i + 1))});
    stats.document_lines = number_of<std::uint64_t>(json.at("document_lines"));
  }

  void writers_of_piece(const Json& json) {
    for (const Json& one : json) {
      const auto place = number_of<std::size_t>(one);
      if (place >= writers_.size()) throw std::runtime_error("a piece names a writer that is not there");
      piece_writers_.insert(writers_[place]);
    }
  }

  void origin(const Json& json) {
    SummaryOrigin& made = piece_.origins.emplace_back();
    made.host = text_of(json.at(0));
    made.pid = number_of<std::int64_t>(json.at(1));
    made.tid = number_of<std::int64_t>(json.at(2));
    made.device = number_of<int>(json.at(3));
    made.level = named(json.at(4).get<std::string>(), Level::external);
    if (!json.at(5).is_null()) made.before = text_of(json.at(5));
    if (json.size() < 9) return;
    made.pod = text_of(json.at(6));
    made.container = text_of(json.at(7));
    made.location = text_of(json.at(8));
    if (json.size() > 9) made.tag = text_of(json.at(9));
  }

  void record(const Json& json) {
    if (!has_piece_) throw std::runtime_error("a record stands outside of a piece");
    SummaryRecord& made = piece_.records.emplace_back();
    made.line = number_of<std::uint64_t>(json.at(0));
    made.origin = number_of<std::uint32_t>(json.at(1));
    if (made.origin >= piece_.origins.size()) throw std::runtime_error("a record names an origin that is not there");
    made.message = text_of(json.at(2));
    if (json.size() < 4) return;
    const Json& rest = json.at(3);
    if (rest.contains("times")) made.times = std::max<std::uint64_t>(number_of<std::uint64_t>(rest.at("times")), 1);
    if (rest.contains("damage")) made.damage = named(rest.at("damage").get<std::string>(), Damage::torn);
    if (rest.contains("read_as")) made.read_as = named(rest.at("read_as").get<std::string>(), ReadAs::phrase);
    if (rest.contains("read_at"))
      if (const auto read_at = number_of<std::uint64_t>(rest.at("read_at")); read_at != made.line)
        made.rest.made().read_at = read_at;
    read_rest(rest, made.rest);
  }

  /// Reads the event of a fact. Versions 1 and 2 have none.
  static EventText event_of(const Json& json) {
    EventText event;
    for (const auto& [name, value] : json.items()) {
      if (name == "name")
        event.name = text_of(value);
      else
        event.members.emplace_back(name, text_of(value));
    }
    Event made;
    if (!read_event_text(event, made))
      throw std::runtime_error("\"" + event.name.str() + "\" is not known; was it written by a newer nccl-analyze?");
    return event_text(made);  // Puts the members into the order of the event's fields.
  }

  /// Reads the members that few records have; a missing member stays empty.
  static void read_rest(const Json& json, Boxed<SummaryRest>& rest) {
    if (json.contains("event")) rest.made().event = event_of(json.at("event"));
    if (json.contains("completed")) rest.made().completed = text_of(json.at("completed"));
    if (json.contains("text")) rest.made().text = text_of(json.at("text"));
    if (json.contains("timestamp")) rest.made().timestamp = text_of(json.at("timestamp"));
    if (json.contains("time")) rest.made().time = text_of(json.at("time"));
    if (!json.contains("channels")) return;
    for (const Json& one : json.at("channels")) {
      const int channel = number_of<int>(one.at(1));
      if (channel < 0 || channel > max_channel) throw std::runtime_error("a channel is out of range");
      rest.made().channels.emplace_back(number_of<std::uint64_t>(one.at(0)), channel);
    }
  }

  void end(const Json& json) {
    keep();
    if (number_of<std::size_t>(json.at("pieces")) != pieces_) throw std::runtime_error("pieces are missing");
    open_ = false;
    ++summaries_;
  }

  void keep() {
    if (!has_piece_) return;
    SummaryParts::add(into_, std::move(piece_), piece_writers_);
    piece_ = {};
    piece_writers_.clear();
    has_piece_ = false;
    ++pieces_;
  }

  Summary& into_;
  std::vector<SummaryWriter> writers_;  ///< The writers that the current summary lists, in its order.
  SummaryPiece piece_;
  std::set<SummaryWriter> piece_writers_;
  bool open_ = false, has_piece_ = false;
  std::size_t pieces_ = 0, summaries_ = 0;
};

struct SummaryReader::Impl {
  explicit Impl(Summary& into) : lines(into) {}

  void line(std::string_view text) {
    ++number;
    if (text.empty() || !wrong.empty() || lines.plain_record(text)) return;
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

  void end_line(std::string_view rest) {
    if (carry.empty()) return line(rest);
    carry.append(rest);
    line(carry);
    carry.clear();
  }

  SummaryLines lines;
  std::uint64_t number = 0;
  std::string carry, wrong;
};

SummaryReader::SummaryReader(Summary& into) : impl_(new Impl(into)) {}
SummaryReader::~SummaryReader() = default;

bool SummaryReader::feed(std::string_view chunk) {
  for (std::size_t end = chunk.find('\n'); end != std::string_view::npos; end = chunk.find('\n')) {
    impl_->end_line(chunk.substr(0, end));
    chunk.remove_prefix(end + 1);
  }
  impl_->carry.append(chunk);
  if (impl_->carry.size() > max_line && impl_->wrong.empty()) impl_->wrong = "this is no summary: a line has no end";
  return impl_->wrong.empty();
}

std::string SummaryReader::finish() {
  impl_->end_line({});
  if (impl_->wrong.empty() && !impl_->lines.is_whole()) return "the summary ends before its last line; write it again";
  return impl_->wrong;
}

}  // namespace nccl_analyze
