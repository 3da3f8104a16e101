#include "redact/word_mask.h"

#include <algorithm>
#include <array>
#include <utility>

#include "redact/bytes.h"
#include "redact/headings.h"
#include "redact/name_places.h"
#include "redact/paths.h"
#include "redact/scan.h"
#include "redact/spelled.h"
#include "redact/vocabulary.h"
#include "redact/word_context.h"

namespace nccl_analyze::redact {

namespace {

/// These file extensions stay after a masked name.
constexpr std::array<std::string_view, 26> endings = {"py",  "so",  "cc",   "h",   "cu",   "log", "json",  "xml",  "sh",
                                                      "txt", "cpp", "yaml", "yml", "hpp",  "cuh", "gz",    "pt",   "c",
                                                      "tsv", "csv", "err",  "out", "toml", "cfg", "jsonl", "ipynb"};

/// The names of exceptions end with one of these words.
constexpr std::array<std::string_view, 5> exception_ends = {"Error", "Exception", "Warning", "Interrupt", "Failure"};

/// Whether a text begins with a sign that programs draw or print, in UTF-8: quotes, dashes, arrows, borders of tables,
/// marks.
bool is_typographic(std::string_view bytes) {
  return bytes.starts_with("\xe2\x80") || bytes.starts_with("\xe2\x86") || bytes.starts_with("\xe2\x94") ||
         bytes.starts_with("\xe2\x95") || bytes.starts_with("\xe2\x96") || bytes.starts_with("\xe2\x9c") ||
         bytes.starts_with("\xe2\x9d");
}

/// Returns the length of an address or a text at `at` that is spelled in numbers (spelled.h); 0 if there is none.
std::size_t spelled_length(std::string_view line, std::size_t at) {
  const std::string_view text = line.substr(at);
  const std::size_t digits = end_of(text, 0, is_digit);
  if (digits == 0 || digits == text.size()) return 0;
  if (text[digits] != ',') return defanged_length(text);
  const std::size_t tuple = at > 0 && line[at - 1] == '(' ? address_tuple_length(text) : 0;
  return tuple > 0 ? tuple : byte_list_length(text);
}

/// Returns the length of the text at `at` that is no word: numbers with colons, an address or text in numbers, an
/// escape of JSON. 0 if there is none.
std::size_t special_length(std::string_view line, std::size_t at) {
  const std::string_view text = line.substr(at);
  if (is_hex(text[0]) || text.starts_with("::"))
    return bus_id_length(text) + colon_run_length(text) + spelled_length(line, at);
  return encoded_length(text) > 0 ? 0 : escape_length(text);
}

/// Returns the end of the word at `at`. A name that was recognised ends the word, too.
std::size_t end_of_word(const MarkedLine& line, std::size_t at, std::size_t end) {
  const std::string_view text = std::string_view(line.text).substr(0, end);
  while (at < end && line.is_known[at] == 0) {
    const char c = text[at];
    const bool may_be_encoded = c == '%' || c == '\\' || c == '&';
    const std::size_t encoded = may_be_encoded ? encoded_length(text.substr(at)) : 0;
    const bool is_sign = encoded == 0 && (!is_name_byte(c) || (is_other_letter(c) && is_typographic(text.substr(at))));
    if (is_sign) break;
    at += std::max<std::size_t>(encoded, 1);
  }
  return std::min(at, end);
}

std::string_view last_word(std::string_view word) {
  const std::size_t at = word.find_last_of("._-");
  return at == std::string_view::npos ? word : word.substr(at + 1);
}

/// Returns the length of what stays at the end of an unknown word: `.py`, `Error`.
std::size_t kept_end(std::string_view word) {
  const std::string_view last = last_word(word);
  if (last.size() < word.size() && word[word.size() - last.size() - 1] == '.' && is_among(endings, last))
    return last.size() + 1;
  for (const std::string_view end : exception_ends)
    if (word.ends_with(end)) return end.size();
  return 0;
}

/// Returns the length of what stays at the start of an unknown word: its version, the kind of a generated interface
/// (`veth02bfc04`, the bridge of a Docker network), or that of a segment of shared memory. Of rdma-core's private
/// interface, `IBVERBS_PRIVATE_34`, and of a version of glibc, `GLIBC_2.34`, all stays.
std::size_t kept_begin(std::string_view folder, std::string_view word) {
  constexpr std::array<std::string_view, 3> generated = {"br-", "veth", "cali"};
  constexpr std::array<std::string_view, 4> devices = {"mlx5_", "mlx4_", "virbr-", "br-"};
  constexpr std::size_t fewest = 4, most = 12;
  if (const std::size_t kind = length_of_segment_kind(folder, word); kind > 0) return kind;
  for (const std::string_view begin : generated) {
    const std::size_t size = word.size() - std::min(begin.size(), word.size());
    if (word.starts_with(begin) && size >= fewest && size <= most && end_of(word, begin.size(), is_hex) == word.size())
      return begin.size();
  }
  constexpr std::string_view of_rdma_core = "IBVERBS_PRIVATE_";
  if (word.starts_with(of_rdma_core) && word.size() <= of_rdma_core.size() + 3 &&
      end_of(word, of_rdma_core.size(), is_digit) == word.size())
    return word.size();
  constexpr std::string_view of_glibc = "GLIBC_";
  const auto is_of_version = [](char c) { return is_digit(c) || c == '.'; };
  if (word.starts_with(of_glibc) && word.size() <= of_glibc.size() + 6 &&
      end_of(word, of_glibc.size(), is_of_version) == word.size())
    return word.size();
  for (const std::string_view begin : devices)
    if (word.starts_with(begin) && end_of(word, begin.size(), is_letter) == word.size()) return begin.size();
  // A word that is masked although it is a version as a whole is a piece of an address.
  const std::size_t version = folder.empty() ? version_length(word) : 0;
  return version < word.size() ? version : 0;
}

/// Returns the length of the ranks at the end of `nccl-shm-recv-a6fd15028d324d0c-0-3-0`.
std::size_t ranks_at_end(std::string_view word) {
  std::size_t at = word.size();
  while (at > 0 && (is_digit(word[at - 1]) || word[at - 1] == '-')) --at;
  const std::size_t dash = word.find('-', at);
  return dash == std::string_view::npos ? 0 : word.size() - dash;
}

/// Returns the word before the text at `at`, and the signs between the two.
std::string_view word_before(std::string_view line, std::size_t at) {
  constexpr std::size_t longest = 64, most_signs = 4;
  std::size_t end = at;
  while (end > 0 && at - end < most_signs && !is_name_byte(line[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && end - begin < longest && is_name_byte(line[begin - 1])) --begin;
  return line.substr(begin, at - begin);
}

/// Whether the part before the one at `at` is the name of a setting whose value names a machine.
bool follows_setting_with_name(std::string_view line, std::size_t at) {
  constexpr std::string_view lead = " set by environment to ";
  const std::string_view before = line.substr(0, at);
  if (!before.ends_with(lead)) return false;
  const std::string_view setting = word_before(before, at - lead.size() + 1);
  return is_setting_with_name(setting.substr(0, setting.size() - 1));
}

/// Whether a number after this text is the id of a process or thread.
bool is_pid(std::string_view before) { return before.ends_with("pid=") || before.ends_with("tid="); }

/// Whether a word in the truncated line of a call is a number or a pointer of the call: `opCount 139e`.
bool is_number_of_call(std::string_view word, std::string_view before) {
  constexpr std::string_view keys[] = {"opCount", "sendbuff", "recvbuff", "comm", "commId", "stream"};
  constexpr std::size_t most_digits = 16;
  if (word.starts_with("0x")) word.remove_prefix(2);
  const std::string_view key = word_before(before, before.size());
  return word.size() <= most_digits && end_of(word, 0, is_hex) == word.size() && key.ends_with(' ') &&
         is_among(keys, key.substr(0, key.size() - 1));
}

/// Whether a word is, or ends with, the commit hash of a version and may stay: `2.27.7-HEAD:0d2c4fd`,
/// `HIP version  : 7.2.26015-fc0010cf6a`.
bool is_commit(std::string_view word, std::string_view before) {
  constexpr std::size_t shortest = 7, longest = 10, longest_version = 20;
  const std::size_t begin = before.ends_with("-HEAD:") ? 0 : word.rfind('-') + 1;
  const std::size_t size = word.size() - begin;
  if (size < shortest || size > longest || end_of(word, begin, is_hex) != word.size()) return false;
  if (begin == 0) return before.ends_with("-HEAD:");
  const std::string_view version = word.substr(0, begin - 1);
  const bool has_form = version.size() > 1 && version[1] == '.' && version.size() <= longest_version &&
                        end_of(version, 0, [](char c) { return is_digit(c) || is_separator(c); }) == version.size();
  return has_form && leads_version_of_rocm(before);
}

/// Whether a word is a part of a mask of CPUs that NCCL prints: `Setting affinity for GPU 0 to 03ff,f0003fff`.
bool is_mask_of_cpus(std::string_view word, std::string_view before) {
  constexpr std::string_view lead = "affinity for GPU ", behind_gpu = " to ";
  constexpr std::size_t longest = 8;
  if (word.size() > longest || !is_hex(word[0]) || (!before.ends_with(behind_gpu) && !before.ends_with(',')))
    return false;
  const std::size_t at = before.rfind(lead);
  if (at == before.npos || end_of(word, 0, is_hex) < word.size()) return false;
  const std::string_view rest = before.substr(end_of(before, at + lead.size(), is_digit));
  return rest.starts_with(behind_gpu) && rest.find_first_not_of("0123456789abcdef,", behind_gpu.size()) == rest.npos;
}

/// Whether a number is the value of a key: `key=3`, `key=(0.9, 0.95)`.
bool is_plain_value(std::string_view word, std::string_view before) {
  const auto is_of_number = [](char c) { return is_digit(c) || c == '.' || c == '-'; };
  if (end_of(word, 0, is_of_number) != word.size() || digits_in(word) == 0) return false;
  const std::size_t last = before.find_last_not_of(" '\"([,.-#0123456789");
  return last != before.npos && before[last] == '=';
}

/// Whether a word of this form may stay between `before` and `behind`.
bool is_place_of_form(Form form, std::string_view before, std::string_view behind) {
  if (form == Form::harmless || form == Form::unknown) return form == Form::harmless;
  constexpr std::string_view versions[] = {
      "version", "versions", "cuda",      "cudart",   "driver",  "nccl",   "rccl",    "torch", "pytorch",
      "python",  "plugin",   "runtime",   "firmware", "fw",      "kernel", "efa",     "ofed",  "rocm",
      "hip",     "fw_ver",   "libfabric", "smi",      "release", "ucx",    "openmpi", "v"};
  constexpr std::string_view buses[] = {"busid",  "id",     "device", "gpus", "bus",
                                        "bus_id", "busids", "pci",    "gpu",  "net"};
  const std::string_view word = word_before(before, before.size());
  const std::string key = lowered(word.substr(0, end_of(word, 0, is_name_byte)));
  const std::size_t last = key.find_last_of("._-");
  const std::string_view name = std::string_view(key).substr(last == std::string::npos ? 0 : last + 1);
  const bool is_behind_bus = before.ends_with('[') || (is_among(buses, name) && word.size() > key.size());
  const bool begins_line = before.find_first_not_of(" [") == before.npos;
  switch (form) {
    case Form::version:
      return is_among(versions, name) || before.ends_with("==") || before.ends_with('+');
    case Form::bus_id:
      return is_behind_bus;
    case Form::level: {
      const bool is_time_of_day = behind.size() > 6 && behind[0] == ' ' && is_digit(behind[1]) && behind[3] == ':';
      return is_time_of_day || begins_line || is_behind_bus;
    }
    case Form::time:
      return begins_line || before.ends_with("[\"");
    default:
      return false;
  }
}

}  // namespace

void WordMask::mask(MarkedLine& line, const FreeParts& parts) {
  cut_ = parts.cut();
  bool is_masked = false;
  for (const FreePart& part : parts.all()) is_masked = mask(line, part, part.is_of_setting && is_masked);
  cut_ = no_cut;
}

bool WordMask::mask(MarkedLine& line, const FreePart& part, bool is_value) {
  const std::string_view text = line.text;
  WordContext context(is_value || (part.is_of_setting && follows_setting_with_name(text, part.begin)));
  if (part.begin > 0 && part.end > part.begin) {
    const std::string_view before = word_before(text, part.begin);
    const std::size_t size = end_of(before, 0, is_name_byte);
    if (size > 0) context.read_before(before.substr(0, size), text.substr(part.begin - before.size() + size));
  }
  bool masks_any = false;
  for (std::size_t at = part.begin; at < part.end;) {
    const bool is_known = line.is_known[at] != 0;
    std::size_t end = at;
    if (is_known)
      while (end < part.end && line.is_known[end] != 0) ++end;
    else if (special_length(text.substr(0, part.end), at) == 0)
      end = end_of_word(line, at, part.end);
    if (end == at) {
      at += mask_sign(line, at, part.end, context);
      continue;
    }
    const std::string_view behind = text.substr(end, part.end - end);
    context.begin_word(behind);
    key_.assign(text.substr(at, end - at));
    // The rest of a word whose beginning is a name is masked.
    const bool is_cut = !is_known && at > part.begin && line.is_known[at - 1] != 0;
    const bool is_masked = !is_known && (mask_word(line, at, end, context) || is_cut);
    masks_any = masks_any || is_masked;
    is_known ? context.read_name(behind) : context.read_word(key_, behind, is_masked);
    at = end;
  }
  return masks_any;
}

std::size_t WordMask::mask_sign(MarkedLine& line, std::size_t at, std::size_t end, WordContext& context) {
  const std::string_view rest = std::string_view(line.text).substr(at, end - at);
  if (const std::size_t bus = bus_id_length(rest); bus > 0) return bus;
  if (const std::size_t run = colon_run_length(rest); run > 0) {
    overwrite(line, at, at + run);
    return run;
  }
  if (const std::size_t spelled = spelled_length(std::string_view(line.text).substr(0, end), at); spelled > 0) {
    // The numbers of bytes may be those of JSON, where only digits may stand.
    const char digit = byte_list_length(rest) == spelled ? '1' : '#';
    const auto begin = line.text.begin() + static_cast<std::ptrdiff_t>(at);
    std::replace_if(begin, begin + static_cast<std::ptrdiff_t>(spelled), is_digit, digit);
    return spelled;
  }
  if (const std::size_t phone = phone_length(rest); phone > 0) {
    overwrite(line, at, at + phone);
    return phone;
  }
  if (const std::size_t escape = escape_length(rest); escape > 0) return escape;
  context.read_sign(rest.front());
  if (!is_other_letter(rest.front())) return 1;
  constexpr std::size_t size_of_sign = 3;
  if (is_typographic(rest) && rest.size() >= size_of_sign) return size_of_sign;
  line.text[at] = 'x';
  return 1;
}

Form WordMask::form_of_word(std::string_view word) {
  constexpr std::size_t most = std::size_t{1} << 14U, longest = 64;
  if (word.size() > longest) return find_form(word);
  word_.assign(word);
  if (const auto found = known_forms_.find(word_); found != known_forms_.end()) return found->second.form;
  if (known_forms_.size() >= most) known_forms_.clear();
  return (known_forms_[word_] = {find_form(word)}).form;
}

/// Notes a word that stayed.
void WordMask::note_kept(std::string_view word) {
  constexpr std::size_t most_words = 4096;
  word_.assign(word);
  const auto found = known_forms_.find(word_);
  if (found != known_forms_.end() && std::exchange(found->second.is_noted, true)) return;
  while (!word.empty() && is_separator(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_separator(word.back())) word.remove_suffix(1);
  const bool is_word = word.find_first_not_of("xX.-_") != std::string_view::npos && !is_digit(word.front());
  if (is_word && kept_.size() < most_words) kept_.insert(lowered(word));
}

Form WordMask::find_form(std::string_view word) {
  while (!word.empty() && is_separator(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_separator(word.back())) word.remove_suffix(1);
  if (word.find_first_not_of("xX.-_") == std::string_view::npos) return Form::harmless;
  const std::string key = lowered(word);
  const Form form = is_harmless_word(key) ? Form::harmless : form_of(key);
  if (form == Form::unknown) return rewriter_.keeps(key) ? Form::harmless : Form::unknown;
  return form;
}

bool WordMask::may_stay(const MarkedLine& line, std::size_t begin, std::size_t end) {
  const std::string_view text = line.text, word = text.substr(begin, end - begin);
  const std::string_view before = text.substr(0, begin), behind = text.substr(end);
  if (word.find_first_not_of("xX.-_") == std::string_view::npos || is_commit(word, before)) return true;
  if (is_mask_of_cpus(word, before)) return true;
  const bool begins_mapped = before.ends_with("::") && word.find_first_not_of('f') == word.npos;  // a cut `::ffff:`
  if (begins_mapped) return true;
  const Form form = form_of_word(word);
  // A number is never the name of a host before `:152:386` or `<29500>`, but it may be a password.
  const bool is_number = is_digit(word.front()) && form == Form::harmless;
  if (is_half_masked_address(word)) return false;
  const bool is_zone = before.ends_with('%') && is_interface(lowered(word));  // `fe80::1%eth0`
  if (is_number ? is_in_userinfo(before, behind) || is_before_domain(behind)
                : !is_zone && is_place_of_names_alone(before, behind))
    return tells_nothing(word);
  if (is_digit(word.front()) ? is_in_range_of_addresses(before) : begins_host_list(word, behind)) return false;
  const bool has_digit = std::ranges::any_of(word, is_digit);
  const bool is_behind_known = begin > 1 && text[begin - 1] == ':' && line.is_known[begin - 2] != 0;  // It is a port.
  const bool may_be_piece = has_digit && (word.find('.') != word.npos || before.ends_with(':'));
  if (may_be_piece && !is_behind_known && is_piece_of_address(text, begin, end)) return word == "fe80";
  const bool stays = is_place_of_form(form, before, behind);
  if (const std::string_view folder = folder_before(text, begin); !folder.empty())
    return is_in_path_of_image(folder, text.substr(begin), word.size()) ||
           may_stay_in_path(folder, lowered(word), stays);
  if (!line.names.holds(begin)) return stays;
  constexpr std::size_t longest_pid = 5;
  const bool is_long = word.size() > longest_pid && end_of(word, 0, is_digit) == word.size();
  return stays && is_word_of_prefix(lowered(word)) && !(is_long && form == Form::harmless && !is_pid(before));
}

void WordMask::overwrite(MarkedLine& line, std::size_t begin, std::size_t end) {
  const std::string_view word = std::string_view(line.text).substr(begin, end - begin);
  line.text.replace(begin, end - begin, table_.stand_in(word, rewriter_.names()));
}

bool WordMask::mask_word(MarkedLine& line, std::size_t begin, std::size_t end, const WordContext& context) {
  const std::string_view text = line.text, word = text.substr(begin, end - begin);
  const bool is_folder = begin > 1 && text[begin - 1] == '/' && !is_digit(text[begin - 2]);
  if (context.counts() && !is_folder && end_of(word, 0, is_digit) == word.size()) return false;
  const bool hides = context.hides(word, text.substr(0, begin));
  if (!hides && begin == cut_ && word.size() > 1 && begins_harmless_word(lowered(word))) return false;
  const bool is_before_cut = begin <= cut_ && cut_ < text.size();
  if (!hides && is_before_cut && is_number_of_call(word, text.substr(0, begin))) return false;
  if (!hides && may_stay(line, begin, end)) {
    note_kept(word);
    return false;
  }
  const std::string_view folder = folder_before(text, begin);
  const std::size_t first = hides ? 0 : kept_begin(folder, word);
  const bool is_segment = first > 0 && length_of_segment_kind(folder, word) > 0;
  const std::size_t kept = hides ? 0 : is_segment ? ranks_at_end(word) : first > 0 ? 0 : kept_end(word);
  if (is_half_masked_address(word))
    std::replace_if(line.text.begin() + static_cast<std::ptrdiff_t>(begin),
                    line.text.begin() + static_cast<std::ptrdiff_t>(end), is_digit, '0');
  else if (hides && context.hides_value() && is_plain_value(word, text.substr(0, begin)))
    std::replace_if(line.text.begin() + static_cast<std::ptrdiff_t>(begin),
                    line.text.begin() + static_cast<std::ptrdiff_t>(end), is_digit, '#');
  else if (begin + first < end - kept)
    overwrite(line, begin + first, end - kept);
  return kept == 0 && first == 0;
}

}  // namespace nccl_analyze::redact
