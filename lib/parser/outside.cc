#include "parser/outside.h"

#include <algorithm>
#include <array>
#include <variant>

#include "messages/phrases.h"
#include "parser/fragments.h"
#include "text/blanks.h"
#include "text/line_scan.h"

namespace nccl_analyze {

namespace {

constexpr int quote_lines = 4;          // between `Last error:` and NCCL's words other ranks may print
constexpr int ras_lines = 4096;         // of a report: it lists ranks
constexpr std::size_t max_head = 512;   // bytes of a wrapped line
constexpr std::size_t max_line = 8192;  // of a line that is looked at: programs print tensors
constexpr int max_cuts = 8;             // of what may stand behind quoted words

constexpr std::string_view last_error = "Last error:";

/// What is looked for in a line: first where a row of lib/messages/outside.cc begins; then what announces that NCCL's
/// words, or a report, follow; then what the end of a traceback holds.
constexpr WordSet words = {
    {"WorkNCCL(", "CCL("},
    {"watchdog at work", "hdog"},
    {"Timeout at NCCL work: ", "CL w"},
    {"Last enqueued NCCL work: ", "CL w"},
    {"Killed process ", "Kill"},
    {"OOMKilled", "OMKi"},
    {"oom_kill event", "kill"},
    {"oom-kill event", "kill"},
    {"killed due to memory pressure", "kill"},
    {"(exitcode: ", "xitc"},
    {"mpirun noticed that process", "mpir"},
    {"srun: error: ", "ror:"},
    {"slurmstepd: error: *** ", "ror:"},
    {"NVRM: Xid (", "Xid "},
    {"watchdog thread terminated with exception: ", "hdog"},
    {"exits with return code = ", "xits"},
    {"KILL SIGNAL: ", "KILL"},
    {"APPLICATION TERMINATED WITH THE EXIT STRING: ", "XIT "},
    {last_error, "ror:"},
    {" compiled with CUDA ", "mpil"},
    {"ProcessGroupNCCL.cpp:", "CL.c"},
    {"Error: ", "ror:"},
    {"Python error: ", "ror:"},
    {"KeyboardInterrupt", "boar"},
};
constexpr std::size_t beginnings = 18;
constexpr std::size_t quote_head = 18, client_head = 19, watchdog_place = 20, exceptions = 21;

/// Of rows that the RAS client prints below its head.
constexpr std::array ras_beginnings = {
    std::string_view{"Communicator ranks have different "},
    std::string_view{"Rank "},
};

bool stands(std::size_t place) { return place != std::string_view::npos; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A word that launchers, collectors and loggers put before a program's own: brackets, a time, a rank, a level.
bool is_wrapper_word(std::string_view word) {
  constexpr std::string_view levels[] = {"ERROR", "E", "F", "P", "|", "-", ">", "stderr", "stdout", "[stderr]"};
  return word.empty() || word.front() == '[' || word.front() == '(' || word.back() == ']' || word.back() == ')' ||
         word.back() == ':' || std::any_of(word.begin(), word.end(), is_digit) ||
         std::find(std::begin(levels), std::end(levels), word) != std::end(levels);
}

/// Where the brackets that a word begins with end, and a colon behind them: `[rank0|0]:` of
/// `[rank0|0]:ncclSocketInit:`. The word's end where it has no such brackets.
std::size_t bracket_end(std::string_view word) {
  const std::size_t close = word.front() == '[' ? word.find(']') : word.front() == '(' ? word.find(')') : word.size();
  if (close >= word.size()) return word.size();
  return close + (word.substr(close + 1, 1) == ":" ? 2 : 1);
}

/// The line without what wrappers put before it, so far as they can be told.
std::string_view without_wrapper(std::string_view line) {
  while (true) {
    line = trimmed(line);
    const std::size_t end = line.find(' ');
    if (end == std::string_view::npos) return line;
    const std::string_view word = line.substr(0, end);
    // `RuntimeError: ` is no wrapper, `[rank3]: ` and `10: ` are.
    const bool name = word.back() == ':' && std::none_of(word.begin(), word.end(),
                                                         [](char c) { return is_digit(c) || c == '[' || c == '('; });
    if (name || !is_wrapper_word(word)) return line;
    line.remove_prefix(word.empty() ? end : bracket_end(word));
  }
}

/// The line up to and with `message`, which is a part of it.
OutsideRecord record_of(std::string_view line, std::string_view message) {
  const auto end = static_cast<std::size_t>(message.data() - line.data()) + message.size();
  return {line.substr(0, end), message};
}

}  // namespace

OutsideReader::Places OutsideReader::places_in(std::string_view line) {
  Places places;
  places.fill(std::string_view::npos);
  const LineScan& scan = *line_scans().front();
  for (FoundWord word = scan.find(words, line, 0); word; word = scan.find(words, line, word.anchor + 1))
    places[word.number] = std::min(places[word.number], words.begin_of(word));
  return places;
}

OutsideRecord OutsideReader::read_quote(std::string_view line, std::size_t head, Event& event) {
  const std::size_t behind = head == std::string_view::npos ? head : head + last_error.size();
  if (stands(behind)) quote_in_ = quote_lines;
  if (quote_in_ == 0) return {};
  const OutsideRecord found = match_quote(line, stands(behind) ? line.substr(behind) : line, event);
  if (found.message.empty() && !stands(behind)) --quote_in_;
  return found;
}

OutsideRecord OutsideReader::match_quote(std::string_view line, std::string_view from, Event& event) {
  std::string_view quoted = without_wrapper(from);
  const Row* const row = match_front(quoted, event);
  if (row == nullptr || std::holds_alternative<ProgramRaised>(event)) return {};
  quote_in_ = 0;
  return record_of(line, quoted);
}

const Row* OutsideReader::match_front(std::string_view& quoted, Event& event) const {
  for (int cuts = 0; !quoted.empty() && cuts <= max_cuts; ++cuts) {
    if (const Row* const row = matcher_.match(quoted, event)) return row;
    const std::size_t end = quoted.find_last_of(",;\\\"')");
    quoted = trimmed(quoted.substr(0, end == std::string_view::npos ? 0 : end));
  }
  return nullptr;
}

OutsideRecord OutsideReader::read_phrase(std::string_view line, Event& event) {
  event = phrase_in(line);
  const auto* const seen = std::get_if<PhraseSeen>(&event);
  if (seen == nullptr) return {};
  const std::string_view own = without_wrapper(line);
  return record_of(line, seen->phrase.data() < own.data() ? trimmed(line) : own);  // words that look like a wrapper's
}

OutsideRecord OutsideReader::read_signs(std::string_view line, const Places& places, Event& event) const {
  const auto try_at = [&](std::size_t at) {
    const std::string_view message = trimmed(line.substr(std::min(at, line.size())));
    return !message.empty() && matcher_.match(message, event) != nullptr ? record_of(line, message) : OutsideRecord{};
  };
  for (std::size_t i = 0; i < beginnings; ++i)
    if (stands(places[i]))
      if (const OutsideRecord found = try_at(places[i]); !found.message.empty()) return found;
  const auto place = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - line.data()); };
  if (ras_lines_ > 0) {
    const std::string_view told = trimmed(line);  // counts look like a wrapper's numbers
    const bool counts = !told.empty() && is_digit(told.front());
    if (counts || std::any_of(ras_beginnings.begin(), ras_beginnings.end(),
                              [&](std::string_view beginning) { return told.starts_with(beginning); }))
      return try_at(place(told));
  }
  if (std::none_of(places.begin() + exceptions, places.end(), stands)) return {};
  const std::string_view own = without_wrapper(line);
  const bool raises = own.find("Error: ") != std::string_view::npos || own == "KeyboardInterrupt" ||
                      own.starts_with("Fatal Python error: ");
  return raises ? try_at(place(own)) : OutsideRecord{};
}

void OutsideReader::look_ahead(std::string_view line, const Places& places) {
  // The client's head is two lines of versions.
  if (stands(places[client_head])) ras_lines_ = 2;
  if (ras_lines_ > 0 && line.starts_with("CUDA runtime version ")) ras_lines_ = ras_lines;
  const bool is_in_quote = quote_in_ > 0 && head_.empty() && line.size() >= wrap_width;
  const bool may_be_cut = stands(places[watchdog_place]) || is_in_quote;
  if (may_be_cut && line.size() <= max_head) {
    head_ = line;
    head_width_ = line.size();
  }
}

OutsideRecord OutsideReader::read_behind_head(std::string_view line, Event& event) {
  for (const std::string_view between : {"", " "}) {  // wrapped inside a word, or at a blank
    joined_.assign(head_).append(between).append(line.substr(0, max_head));
    const Places places = places_in(joined_);
    if (const OutsideRecord found = read_signs(joined_, places, event); !found.message.empty()) return found;
    if (quote_in_ == 0) continue;
    if (const OutsideRecord found = match_quote(joined_, joined_, event); !found.message.empty()) return found;
  }
  return {};
}

OutsideRecord OutsideReader::read(std::string_view line, Event& event) {
  line = line.substr(0, max_line);
  if (ras_lines_ > 0) --ras_lines_;
  if (!head_.empty()) {
    const OutsideRecord found = read_behind_head(line, event);
    const bool goes_on = found.message.empty() && line.size() == head_width_ && head_.size() < max_head;
    if (goes_on)
      head_.append(line);
    else
      head_.clear();
    if (!found.message.empty()) return found;
  }
  // A line that is only looked at because of the one before needs no search.
  const bool signed_line = has_sign(line);
  const Places places = places_in(signed_line ? line : std::string_view{});
  OutsideRecord found = read_signs(line, places, event);
  const bool raised = !found.message.empty() && std::holds_alternative<ProgramRaised>(event);
  if (!found.message.empty()) head_.clear();
  if (!found.message.empty() && !raised) return found;
  // A quote says more than the exception around it.
  Event quoted;
  const OutsideRecord quote = read_quote(line, places[quote_head], quoted);
  if (!quote.message.empty()) {
    head_.clear();
    event = quoted;
    return quote;
  }
  if (!raised) look_ahead(line, places);
  return raised || !signed_line ? found : read_phrase(line, event);
}

}  // namespace nccl_analyze
