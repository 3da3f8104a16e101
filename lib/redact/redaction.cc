#include "redact/redaction.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "redact/bytes.h"
#include "redact/headings.h"
#include "redact/journal_line.h"
#include "redact/log_lines.h"
#include "redact/mask.h"
#include "redact/part_cache.h"
#include "redact/plain_lines.h"
#include "redact/rewriter.h"
#include "redact/scan.h"
#include "redact/spelled.h"
#include "redact/stamp.h"
#include "redact/survey.h"
#include "redact/vocabulary.h"
#include "redact/word_mask.h"
#include "redact/yaml_mask.h"
#include "text/blanks.h"
#include "text/decoration.h"
#include "text/escape.h"
#include "text/training_steps.h"

namespace nccl_analyze::redact {

namespace {

/// Writes an address as `10.0.4.51`.
std::string ipv4_text(std::uint32_t address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8)
    text.append(text.empty() ? "" : ".").append(std::to_string(address >> shift & 0xffU));
  return text;
}

std::string hex_text(std::uint64_t value) { return "0x" + to_hex(value); }

/// Reads what hex_text() wrote.
std::uint64_t hex_value(std::string_view text) {
  std::uint64_t value = 0;
  if (text.starts_with("0x")) std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return value;
}

/// Returns the step of training that a line of another program reports, as `: step 7`, or `: served` for an answer of
/// a server; nothing if it reports none.
std::string step_in(std::string_view line) {
  using Kind = TrainingStep::Kind;
  const TrainingStep step = read_training_step(line);
  if (step.kind == Kind::served) return ": served";
  if (step.kind == Kind::none || step.number >= 1e15) return {};
  std::array<char, 32> digits{};
  char* const end =
      std::to_chars(digits.data(), digits.data() + digits.size(), step.number, std::chars_format::fixed).ptr;
  std::string text = step.kind == Kind::counter ? ": step " : step.kind == Kind::epoch ? ": epoch " : ": part ";
  return text.append(digits.data(), end);
}

/// Returns the replacement of a line of `size` bytes. It is no longer than the line, so that at least as many lines are
/// in the last bytes of the source, where the analysis looks for steps of training.
std::string_view stand_in_of_bytes(std::size_t size) {
  return dropped_line.substr(0, size < dropped_line.size() ? 1 : dropped_line.size());
}

/// Returns the replacement of a line of another program, with the steps of training that the line reports after its
/// first `unread` bytes. A progress bar reports several steps, with a carriage return before each.
std::string stand_in_of_line(std::string_view line, std::uint64_t unread) {
  std::string text;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\r', at), line.size());
    const std::string step = at < unread ? std::string() : step_in(line.substr(at, end - at));
    if (!step.empty()) text.append(text.empty() ? "" : "\r").append(dropped_line).append(step);
    at = end + 1;
  }
  return text.empty() ? std::string(stand_in_of_bytes(line.size())) : text;
}

/// Masks what follows the words by which the analysis recognises parts of tracebacks of Python. In a line of JSON,
/// where quotes are escaped, it masks up to the next escape or quote.
void mask_traceback(std::string& line) {
  if (line.find("Exception ") == std::string::npos) return;
  constexpr std::string_view leads[] = {"Exception ignored in", "Exception in thread "};
  const bool is_in_json = trimmed(line).starts_with('{');
  for (const std::string_view lead : leads)
    for (std::size_t at = line.find(lead); at != std::string::npos; at = line.find(lead, at + 1)) {
      const std::size_t begin = at + lead.size();
      const std::size_t end = is_in_json ? std::min(line.find_first_of("\\\"", begin), line.size()) : line.size();
      std::fill(line.begin() + static_cast<std::ptrdiff_t>(begin), line.begin() + static_cast<std::ptrdiff_t>(end),
                'x');
    }
}

/// Masks a line that is one byte of a message in the output of `journalctl -o json-pretty`.
void mask_byte_of_journal(std::string& line) {
  if (is_byte_of_journal(line)) std::ranges::replace_if(line, is_digit, '1');
}

/// Masks a line of JSON, except the log line in it, or the values that are read.
void mask_json_line(std::string& line) {
  if (line.find('"') == std::string::npos) return;
  if (is_manifest_in_json(line)) return JsonMask(JsonMask::Kind::manifest).mask(line);
  std::string scratch;
  const std::string_view inside = unwrap_json(line, scratch);
  const bool is_log =
      inside.data() != line.data() || (line.starts_with('{') && json_text(line, scratch).data() != line.data());
  if (is_log) return JsonMask(JsonMask::Kind::log).mask(line);
  if (line.starts_with('{')) JsonMask(JsonMask::Kind::document).mask(line);
}

/// Whether strip_line() certainly leaves text in the line. `[m` may be an escape sequence that has lost its first byte.
bool is_certainly_text(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return false;
  const std::string_view text = line.substr(begin);
  const bool is_tag = text.size() > 1 && text[0] == '[' && is_letter(text[1]) && text[1] != 'm';
  return is_tag || is_letter(text[0]) || is_digit(text[0]);
}

const KeptLines::Manifest* find_manifest(const KeptLines& lines, std::uint64_t number) {
  const auto found = std::ranges::find_if(
      lines.manifests, [&](const auto& manifest) { return manifest.first <= number && number <= manifest.last; });
  return found == lines.manifests.end() ? nullptr : &*found;
}

}  // namespace

struct Redaction::Impl {
  explicit Impl(bool keeps) : keep_other(keeps) {}

  static constexpr std::size_t block = std::size_t{1} << 16U;  ///< Bytes of `written` at which it is passed on.

  bool keep_other;
  AddressTable addresses = {};
  NameTable names{addresses};
  Rewriter rewriter{addresses, names};
  WordMask words{rewriter};
  std::vector<KeptLines> sources = {};
  std::optional<Survey> survey = {};

  FreeParts parts = {};
  PartCache rewritten = {};
  std::string marks = {};  ///< The buffer of MarkedLine::is_known.
  LineCounts counts = {};
  std::size_t source = 0;   ///< The number of the source in the second pass, from 1 on.
  std::uint64_t place = 0;  ///< Offset of the next line in the source, in bytes.
  std::optional<LineCutter> cutter = {};
  std::optional<JsonMask> mask = {};
  YamlMask yaml = {};
  const KeptLines::Manifest* manifest = nullptr;  ///< The manifest to which the last line belonged.
  bool keeps_times = false;                       ///< No name looks like a time, so that times stay.
  std::optional<PlainLines> plain = {};
  std::string line_text = {};  ///< The line that is being redacted.
  std::string written = {};    ///< The output that was not passed on yet.
  const Out* out = nullptr;    ///< Takes the output.

  /// Redacts a line and appends it to `written`.
  void write(const LogLine& line) {
    const KeptLines& lines = sources[source - 1];
    const bool is_kept = lines.holds(line.number) || may_be_kept(line.text);
    // The analysis looks for steps of training only near the end of a source.
    const std::uint64_t tail = lines.bytes - std::min<std::uint64_t>(lines.bytes, TrainingTail::size);
    const std::uint64_t unread = tail - std::min(tail, place);
    place += line.text.size() + line.rest + 1;
    ++(is_kept ? counts.kept : counts.dropped);
    if (is_kept)
      write_kept(lines, line);
    else if (is_heading(line.text))
      written += line.text;
    else if (unread > line.text.size() && is_certainly_text(line.text))
      written += stand_in_of_bytes(line.text.size());
    else
      write_dropped(line.text, unread);
    write_rest(line.rest);
    if (line.has_newline) written += '\n';
    if (written.size() >= block) flush();
  }

  void write_rest(std::uint64_t rest) {
    while (rest > 0) {
      const std::uint64_t size = std::min<std::uint64_t>(rest, block);
      written.append(size, 'x');
      rest -= size;
      if (written.size() >= block) flush();
    }
  }

  void flush() {
    if (!written.empty()) (*out)(written);
    written.clear();
  }

  void write_dropped(std::string_view line, std::uint64_t unread) {
    line_text = line;
    strip_line(line_text);
    const bool is_blank = trimmed(line_text).empty();
    if (is_blank) --counts.dropped;
    written += is_blank ? line_text : stand_in_of_line(line_text, unread);
  }

  void write_kept(const KeptLines& lines, const LogLine& line) {
    const bool may_be_plain = line.rest == 0 && !mask && lines.manifests.empty() && !line.chunk.empty();
    if (may_be_plain && plain->append(line.chunk, line.text.size(), lines.is_own(line.number), written)) return;
    line_text = line.text;
    strip_line(line_text);
    rewrite_kept(lines, line.number, line_text);
    if (may_be_plain) plain->learn(line.text, line_text, parts.all().size() > 1);
    written += line_text;
  }

  void rewrite_kept(const KeptLines& lines, std::uint64_t number, std::string& line) {
    if (auto entry = evidence::read_journal_entry(line)) {
      rewrite_entry(lines, number, *entry);
      line = to_line(*entry);
      return;
    }
    if (mask && number <= lines.json_last)
      mask->mask(line);
    else
      mask_line(lines, number, line);
    hide(line);
  }

  /// Replaces names, addresses and unknown words in the parts of a line. Parts that were seen before come from the
  /// cache.
  void hide_parts(MarkedLine& line) {
    bool is_masked = false;
    for (const FreePart& part : parts.all()) {
      if (keeps_times && is_stamp(std::string_view(line.text).substr(part.begin, part.end - part.begin))) continue;
      const std::string* const known = rewritten.find(line.text, part);
      if (known != nullptr) {
        line.text.replace(part.begin, known->size(), *known);
        continue;
      }
      rewriter.rewrite(line, part);
      is_masked = words.mask(line, part, part.is_of_setting && is_masked);
      rewritten.note(part, std::string_view(line.text).substr(part.begin, part.end - part.begin));
    }
  }

  /// Replaces names, addresses and unknown words in a line.
  void hide(std::string& text) {
    parts.find(text);
    MarkedLine line(text, marks);
    line.names = parts.names();
    if (parts.all().size() == 1 || holds_guid(text)) {
      rewriter.rewrite(line, &parts);
      words.mask(line, parts);
    } else {
      hide_parts(line);
    }
  }

  void mask_line(const KeptLines& lines, std::uint64_t number, std::string& text) {
    const KeptLines::Manifest* const found = find_manifest(lines, number);
    if (found != manifest) yaml.clear();
    manifest = found;
    if (manifest != nullptr)
      yaml.mask(text, manifest->indent);
    else
      mask_json_line(text);
    mask_traceback(text);
    mask_byte_of_journal(text);
  }

  void rewrite_entry(const KeptLines& lines, std::uint64_t number, evidence::JournalEntry& entry) {
    std::string message;
    message.swap(entry.message);
    for_each_part(message, [&](std::string_view part) {
      std::string text(part);
      strip_line(text);
      mask_line(lines, number, text);
      hide(text);
      entry.message.append(text).append("\n");
    });
    entry.message.pop_back();
    if (end_of(entry.time, 0, is_digit) != entry.time.size()) entry.time.clear();
    for (std::string* const name : {&entry.host, &entry.container}) {
      std::string quoted = '"' + *name + '"';  // Between quotes, even a common word counts as a name.
      hide(quoted);
      *name = quoted.substr(1, name->size());
    }
  }
};

Redaction::Redaction(bool keep_other) : impl_(std::make_unique<Impl>(keep_other)) {}
Redaction::Redaction(Redaction&&) noexcept = default;
Redaction& Redaction::operator=(Redaction&&) noexcept = default;
Redaction::~Redaction() = default;

void Redaction::begin(std::string_view name) {
  impl_->survey.emplace(impl_->addresses, impl_->names, impl_->keep_other);
  impl_->names.add_words(name);
  Gatherer(impl_->addresses, impl_->names).add(name);
}

void Redaction::survey(std::string_view bytes) { impl_->survey->feed(bytes); }

void Redaction::end() {
  impl_->sources.push_back(impl_->survey->finish());
  impl_->survey.reset();
}

void Redaction::preset(const StandIn& row) {
  std::uint32_t address = 0, stand_in = 0;
  if (const std::optional<NameKind> kind = kind_of_name(row.kind))
    impl_->names.preset(*kind, row.original, row.text);
  else if (row.kind == "word")
    impl_->words.table().preset(row.original, row.text);
  else if (row.kind == "guid")
    impl_->addresses.preset_guid(hex_value(row.original), hex_value(row.text));
  else if (row.kind == "prefix")
    impl_->addresses.preset_prefix(hex_value(row.original), hex_value(row.text));
  else if (ipv4_length(row.original, '.', address) > 0 && ipv4_length(row.text, '.', stand_in) > 0)
    impl_->addresses.preset_ipv4(address, stand_in);
}

void Redaction::choose() {
  impl_->names.choose();
  impl_->addresses.choose();
  impl_->keeps_times = !impl_->names.may_be_in_times();
}

void Redaction::begin_rewriting() {
  const KeptLines::Json json = impl_->sources.at(impl_->source++).json;
  impl_->cutter.emplace();
  impl_->place = 0;
  impl_->mask.reset();
  impl_->manifest = nullptr;
  if (!impl_->plain) impl_->plain.emplace(impl_->keeps_times);
  if (json == KeptLines::Json::document) impl_->mask.emplace(JsonMask::Kind::document);
  if (json == KeptLines::Json::manifest) impl_->mask.emplace(JsonMask::Kind::manifest);
}

void Redaction::rewrite(std::string_view bytes, const Out& out) {
  impl_->out = &out;
  impl_->cutter->feed(bytes, [&](const LogLine& line) { impl_->write(line); });
  impl_->flush();
}

void Redaction::end_rewriting(const Out& out) {
  impl_->out = &out;
  impl_->cutter->finish([&](const LogLine& line) { impl_->write(line); });
  impl_->flush();
}

const LineCounts& Redaction::counts() const { return impl_->counts; }

std::string Redaction::rewritten_name(std::string_view name) const {
  return impl_->rewriter.file_name(std::string(name));
}

std::vector<StandIn> Redaction::stand_ins() const {
  std::vector<StandIn> rows;
  for (const auto& [name, entry] : impl_->names.all()) {
    std::string text = name;
    impl_->names.overwrite(text.data(), text.size());
    if (text != name) rows.push_back({std::move(text), to_string(entry.kind), name});
  }
  for (const std::uint32_t address : impl_->addresses.ipv4().addresses())
    rows.push_back({ipv4_text(impl_->addresses.ipv4().stand_in(address)), "address", ipv4_text(address)});
  for (const auto& [value, stand_in] : impl_->addresses.guids().all())
    rows.push_back({hex_text(stand_in), "guid", hex_text(value)});
  for (const auto& [value, stand_in] : impl_->addresses.prefixes().all())
    rows.push_back({hex_text(stand_in), "prefix", hex_text(value)});
  for (const auto& [word, stand_in] : impl_->words.table().all()) rows.push_back({stand_in, "word", word});
  std::ranges::sort(rows, {}, [](const StandIn& row) { return std::pair(row.kind, std::string_view(row.original)); });
  return rows;
}

std::vector<std::string> Redaction::kept_words() const {
  const WordMask::Words& words = impl_->words.kept();
  return {words.begin(), words.end()};
}

std::vector<std::string> Redaction::common_words() const {
  std::vector<std::string> words;
  for (const auto& [name, entry] : impl_->names.all())
    if (entry.known == NameTable::Known::where_named) words.push_back(name);
  return words;
}

}  // namespace nccl_analyze::redact
