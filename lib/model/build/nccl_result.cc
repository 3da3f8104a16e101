#include "model/build/nccl_result.h"

#include <algorithm>
#include <iterator>

namespace nccl_analyze::builder {

namespace {

/// Removes the advice that PyTorch appends: `unhandled system error (run with …` becomes `unhandled system error`.
std::string_view without_advice(std::string_view result) {
  return result.substr(0, std::min(result.find('('), result.find(',')));
}

/// Extracts the NCCL error from the report of nccl-tests and of NVIDIA's examples: `internal error` from
/// `common.cu:961 'internal error - please report this issue to the NCCL developers / '`. Empty if the text does not
/// begin with a place in a source.
std::string_view test_result(std::string_view words) {
  const std::size_t quote = words.find(" '");
  const std::size_t place = words.find(".c");
  const std::size_t line = words.find(':');
  if (quote == std::string_view::npos || words.find(' ') != quote || place > line || line > quote) return {};
  words.remove_prefix(quote + 2);
  constexpr std::string_view ends[] = {" - please", " (run with", " / ", "'"};
  for (const std::string_view end : ends) words = words.substr(0, words.find(end));
  return words;
}

/// Returns the text of an ncclResult_t: `invalid usage` for `5`. Empty if the words are no number of an error.
std::string_view numbered_result(std::string_view words) {
  constexpr std::string_view texts[] = {"unhandled cuda error", "unhandled system error", "internal error",
                                        "invalid argument",     "invalid usage",          "remote error"};
  constexpr char first = '1';
  const bool is_number =
      words.size() == 1 && words[0] >= first && words[0] < first + static_cast<char>(std::size(texts));
  return is_number ? texts[words[0] - first] : std::string_view();
}

}  // namespace

std::string_view nccl_result(std::string_view exception, std::string_view words, const FoundPhrase& found) {
  const bool is_check = exception.starts_with("NCCL ");
  if (const std::string_view result = is_check ? test_result(words) : ""; !result.empty()) return result;
  if (const std::string_view result = is_check ? numbered_result(words) : ""; !result.empty()) return result;
  constexpr std::string_view in = "NCCL error in: ";
  if (const std::size_t at = words.find(in); at != std::string_view::npos) {
    const std::size_t comma = words.find(", ", at);
    return comma == std::string_view::npos ? words.substr(at) : without_advice(words.substr(comma + 2));
  }
  constexpr std::string_view beginnings[] = {"NCCL Error ", "NCCL error", "NCCL exception (",
                                             "NCCL communicator was aborted"};
  if (std::any_of(std::begin(beginnings), std::end(beginnings), [&](auto one) { return words.starts_with(one); }))
    return words;
  constexpr std::string_view results[] = {"unhandled cuda error",
                                          "unhandled system error",
                                          "internal error - please report this issue to the NCCL",
                                          "invalid usage (run with NCCL",
                                          "remote process exited or there was a network error",
                                          "raised the following async exception"};
  for (const std::string_view result : results)
    if (const std::size_t at = words.find(result); at != std::string_view::npos)
      return without_advice(words.substr(at));
  // The words of some phrases end inside the advice.
  constexpr std::string_view advice = " (run with";
  return found && found.phrase->printed_by == PrintedBy::nccl ? found.words.substr(0, found.words.find(advice))
                                                              : std::string_view{};
}

}  // namespace nccl_analyze::builder
