#include "redact/forms.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "redact/bytes.h"
#include "redact/vocabulary.h"
#include "text/word_list.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::size_t longest_number = 8, longest_fraction = 9;

/// The kind of a part of a word. The parts are separated by `-`, `.` and `_`.
enum class Part : unsigned char { unknown, word, number, counted, quantity };

struct Counted {
  std::string_view word;
  std::size_t digits;
};
/// A number may follow these words, with a separator or without, because it counts things. It has at most `digits`
/// digits.
constexpr std::array<Counted, 83> counted{{
    {"gpu", 4},    {"cpu", 4},   {"rank", 6},   {"numa", 3},      {"nic", 3},     {"channel", 4}, {"ring", 4},
    {"tree", 4},   {"chain", 4}, {"stage", 3},  {"step", 6},      {"epoch", 4},   {"iter", 6},    {"pg", 4},
    {"comm", 4},   {"port", 5},  {"thread", 4}, {"cuda", 2},      {"cu", 3},      {"rocm", 2},    {"py", 3},
    {"python", 3}, {"cp", 3},    {"sm", 3},     {"gfx", 4},       {"hip", 2},     {"v", 3},       {"rc", 2},
    {"post", 2},   {"amzn", 4},  {"el", 1},     {"ubuntu", 2},    {"gcc", 2},     {"abi", 2},     {"llvm", 2},
    {"mpi", 2},    {"level", 2}, {"ll", 3},     {"float", 2},     {"int", 2},     {"uint", 2},    {"fp", 2},
    {"bf", 2},     {"errno", 3}, {"code", 3},   {"mlx5", 2},      {"mlx4", 2},    {"bond", 2},    {"ib", 2},
    {"net", 2},    {"sse", 1},   {"avx", 3},    {"group", 4},     {"pcie", 1},    {"gen", 1},     {"nvlink", 2},
    {"nvl", 3},    {"so", 2},    {"local", 4},  {"world", 4},     {"version", 2}, {"compute", 3}, {"nvswitch", 2},
    {"c", 2},      {"lane", 2},  {"tp", 3},     {"iteration", 6}, {"dp", 2},      {"pp", 2},      {"ep", 3},
    {"pci", 2},    {"sxm", 1},   {"uverbs", 2}, {"layer", 3},     {"nv", 2},      {"socket", 2},  {"dim", 2},
    {"size", 6},   {"utf", 2},   {"arch", 1},   {"device", 3},    {"x", 2},       {"fc", 2},
}};

/// These words may follow the version of a kernel or library: flavours, systems, and things that are counted.
constexpr std::string_view behind_versions[] = {
    "generic", "aws",     "azure", "gcp",    "gke",         "oracle", "lowlatency", "tegra", "nvidia",  "rt",
    "cloud",   "virtual", "kvm",   "server", "x86",         "64",     "amd64",      "arm64", "aarch64", "linux",
    "gnu",     "beta",    "alpha", "dev",    "git",         "stable", "smp",        "deb",   "bpo",     "xlarge",
    "metal",   "node",    "nodes", "gpu",    "gpus",        "rank",   "ranks",      "bit",   "byte",    "bytes",
    "way",     "core",    "based", "level",  "dimensional", "step",   "nccl",       "head"};

constexpr std::array<std::string_view, 41> units_of_numbers = {
    "b",  "kb", "mb", "gb", "tb", "kib", "mib", "gib",  "tib",  "k",   "m", "g",  "t",   "ki",
    "mi", "gi", "ti", "us", "ms", "ns",  "s",   "sec",  "min",  "h",   "d", "hz", "mhz", "ghz",
    "x",  "w",  "gt", "st", "nd", "rd",  "th",  "gbps", "mbps", "bit", "e", "l",  "it"};

bool is_all_digits(std::string_view text) { return !text.empty() && end_of(text, 0, is_digit) == text.size(); }

/// Returns how many digits a number after this word may have; 0 if the word is not in `counted`.
std::size_t digits_behind(std::string_view word) {
  const auto found = std::ranges::find(counted, word, &Counted::word);
  return found == counted.end() ? 0 : found->digits;
}

/// Returns how many digits a number with this unit may have. Sizes may have more than other quantities.
std::size_t longest_with(std::string_view unit) {
  constexpr std::size_t longest_size = 8, longest_quantity = 5, longest_of_letter = 4, longest_of_hex = 1;
  if (unit.ends_with('b')) return longest_size;
  if (unit.size() == 1 && is_hex(unit[0])) return longest_of_hex;
  return unit.size() > 1 || unit == "s" ? longest_quantity : longest_of_letter;
}

Part kind_of(std::string_view part) {
  const std::size_t digits = end_of(part, 0, is_digit), letters = end_of(part, 0, is_letter);
  if (digits == part.size()) return digits <= longest_fraction ? Part::number : Part::unknown;
  if (digits_behind(part) > 0) return Part::counted;
  const bool has_number = letters > 0 && is_all_digits(part.substr(letters));
  if (has_number && part.size() - letters <= digits_behind(part.substr(0, letters))) return Part::counted;
  if (is_harmless_word(part)) return Part::word;
  const std::string_view unit = part.substr(digits);
  if (digits > 0 && is_among(units_of_numbers, unit) && digits <= longest_with(unit)) return Part::quantity;
  // For example `24xlarge` or `0aws`.
  constexpr std::size_t longest_variant = 3;
  return digits > 0 && digits <= longest_variant && is_among(behind_versions, unit) ? Part::quantity : Part::unknown;
}

/// Whether a word is a MAC as switches print it: `b8ce.f600.1234`.
bool is_hardware_address(std::string_view word) {
  constexpr std::size_t size = 14, group = 4;
  if (word.size() != size || word[group] != '.' || word[2 * group + 1] != '.') return false;
  return std::ranges::all_of(word, [](char c) { return is_hex(c) || c == '.'; });
}

/// Returns the form of three numbers with dots between them. If they may be the start of an address, they count as a
/// version only after a word such as `version` (Form::version).
Form form_of_three(std::string_view word) {
  constexpr int first_of_address = 10, last_of_address = 255;
  constexpr std::size_t longest_part = 5, longest_of_version = 3;
  bool may_be_address = true;
  std::size_t longest = 0, first = 0;
  for (std::size_t at = 0; at < word.size(); at = end_of(word, at, is_digit) + 1) {
    int number = 0;
    const std::size_t size = end_of(word, at, is_digit) - at;
    std::from_chars(word.data() + at, word.data() + at + size, number);
    if (at == 0) first = size;
    may_be_address = may_be_address && size <= longest_of_version && number <= last_of_address &&
                     (at > 0 || number >= first_of_address);
    longest = std::max(longest, size);
  }
  if (longest > longest_part || (first >= longest_of_version && longest > longest_of_version)) return Form::unknown;
  return may_be_address ? Form::version : Form::harmless;
}

/// Returns the form of numbers with separators: a version, a number with decimals, a range, a date.
Form form_of_numbers(std::string_view word) {
  const auto harmless_if = [](bool is_harmless) { return is_harmless ? Form::harmless : Form::unknown; };
  constexpr std::size_t longest_of_range = 3;
  const auto dots = std::ranges::count(word, '.'), dashes = std::ranges::count(word, '-');
  const auto others = std::ranges::count(word, '_');
  const std::size_t first = end_of(word, 0, is_digit), last = word.size() - (word.find_last_of("-._") + 1);
  if (others > 0) return harmless_if(others == 1 && dots + dashes == 0 && word.size() <= longest_number + 1);
  const bool is_range = first <= longest_of_range && last <= longest_of_range;
  const bool is_long_range =
      first == longest_of_range + 1 && first == last && word.substr(0, first) < word.substr(first + 1);
  if (dashes == 1 && dots == 0) return harmless_if(is_range || is_long_range);
  const bool is_date = dashes == 2 && dots == 0 && first == 4 && (word.starts_with("19") || word.starts_with("20"));
  if (is_date) return harmless_if(word.size() == std::string_view("2025-01-31").size());
  if (dots == 2 && dashes == 0) return form_of_three(word);
  return harmless_if((dots == 2 && version_length(word) == word.size()) ||
                     (dots <= 1 && dashes == 0 && first <= longest_number));
}

/// Whether a long number may be a current time in milliseconds, microseconds or nanoseconds since 1970. Some serial
/// numbers look the same.
bool is_long_time(std::string_view digits) {
  const bool is_fraction = digits.size() == 13 || digits.size() == 16 || digits.size() == 19;
  return is_fraction && digits[0] == '1' && digits[1] >= '5';
}

/// Whether a long number is a multiple of 65536. Sizes of memory usually are, but an IPv4 address printed as one number
/// hardly ever is.
bool is_size(std::string_view digits) {
  constexpr std::uint64_t page = 65536;
  std::uint64_t number = 1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number % page == 0 && digits.size() < 20;
}

/// Whether a word is a piece of a time: `2025-01-31T10`, `04.123456Z`, `1766937600.123456`.
bool is_time(std::string_view word) {
  constexpr std::size_t date = 10, seconds = 2, epoch = 10;
  if (word.size() == date + 3 && word[date] == 't')
    return is_all_digits(word.substr(date + 1)) && end_of(word, 0, is_digit) == 4 &&
           form_of_numbers(word.substr(0, date)) == Form::harmless;
  const std::size_t first = end_of(word, 0, is_digit);
  const std::string_view behind = word.substr(first);
  const std::size_t fraction = behind.starts_with('.') ? end_of(behind, 1, is_digit) : 0;
  const bool has_fraction = fraction > 1 && fraction <= longest_fraction + 1;
  if (first == seconds && word.ends_with('z')) return behind == "z" || (has_fraction && fraction + 1 == behind.size());
  return first == epoch && word.starts_with('1') && has_fraction && fraction == behind.size();
}

/// Whether a word is the level and day that glog prints, `E131`, `E0131` or `E20260131`, or its level alone.
bool is_level(std::string_view word) {
  constexpr std::size_t with_year = 9;
  const bool has_size = word.size() <= 5 || word.size() == with_year;
  return std::string_view("iwef").find(word[0]) != std::string_view::npos && has_size &&
         end_of(word, 1, is_digit) == word.size();
}

/// Recognises a bus id as NCCL prints it (`1b000`, `0-1b000`), and a mask of CPUs (`00ffffff`).
Form form_of_hex(std::string_view word) {
  constexpr std::size_t longest = 5, longest_mask = 8;
  if (word.size() <= longest_mask && word.find_first_not_of("0f") == std::string_view::npos) return Form::harmless;
  if (word.size() > 2 && is_digit(word[0]) && word[1] == '-') word.remove_prefix(2);
  const bool is_hexadecimal = end_of(word, 0, is_hex) == word.size() && std::ranges::any_of(word, is_digit);
  return is_hexadecimal && word.size() <= longest ? Form::bus_id : Form::unknown;
}

std::string_view next_part(std::string_view word, std::size_t at) {
  return word.substr(at, end_of(word, at, [](char c) { return !is_separator(c); }) - at);
}

/// Returns Form::harmless if only numbers or known words follow the version, as in `5.15.0-1063-aws`; else
/// Form::unknown.
Form form_behind_version(std::string_view word, std::size_t at) {
  for (; at < word.size(); at = at + next_part(word, at).size() + 1) {
    const std::string_view part = next_part(word, at);
    const bool is_number = is_all_digits(part) && part.size() <= 3;
    if (!part.empty() && !is_number && !is_among(behind_versions, part) && kind_of(part) != Part::counted &&
        kind_of(part) != Part::quantity)
      return Form::unknown;
  }
  return Form::harmless;
}

/// Whether words with dots between them name a file, or a module of a known package, and not a host.
bool may_be_dotted(std::string_view word) {
  static constexpr WordList packages{
      "cudacuda_major torch c10d c10 at std numpy nccl cuda cupy vllm ncclx transformers jax deepspeed tensorflow "
      "megatron horovod nvidia multiprocessing subprocess concurrent asyncio os resources python libc mpi4py"};
  constexpr std::string_view ends[] = {"py",  "so",  "cc",   "h",   "cu",  "log",  "json", "xml", "sh",
                                       "txt", "cpp", "yaml", "hpp", "cuh", "conf", "cfg",  "out"};
  return is_among(packages, word.substr(0, word.find('.'))) || is_among(ends, word.substr(word.rfind('.') + 1));
}

/// Whether a user chose the name of a card or bridge: `mlx5_acme`, `virbr-acme`.
bool is_named_device(std::string_view word) {
  constexpr std::string_view devices[] = {"mlx5", "mlx4", "virbr", "veth", "vlan", "docker", "br"};
  constexpr std::array<std::string_view, 5> kinds = {"bond", "ib", "core", "en", "an"};
  const std::string_view first = next_part(word, 0);
  const std::string_view second = next_part(word, std::min(first.size() + 1, word.size()));
  return is_among(devices, first) && std::ranges::all_of(second, is_letter) && !second.empty() &&
         !is_among(kinds, second);
}

Form form_of_parts(std::string_view word) {
  constexpr std::size_t most_numbers = 3, longest_behind_word = 5;
  bool has_word = false, has_long = false;
  Part before = Part::unknown;
  std::size_t numbers = 0, words = 0;
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view text = next_part(word, at);
    const Part part = text.empty() ? Part::word : kind_of(text);
    if (part == Part::unknown) return Form::unknown;
    // A number after a word may be that of a host, `worker-3`, unless the word is in `counted`.
    if (part == Part::number && has_word && before != Part::counted) return Form::unknown;
    numbers += std::ranges::any_of(text, is_digit) ? 1 : 0;
    words += part == Part::word && !text.empty() ? 1 : 0;
    has_long = has_long || (part == Part::number && text.size() > longest_behind_word);
    has_word = has_word || (part != Part::number && !text.empty());
    if (part != Part::number || at == 0) before = part;
    at += text.size() + 1;
  }
  if (!has_word) return form_of_numbers(word);
  const bool begins_with_number = kind_of(next_part(word, 0)) == Part::number;
  if (begins_with_number && form_behind_version(word, next_part(word, 0).size() + 1) == Form::unknown)
    return Form::unknown;
  const bool is_dotted = words > 1 && word.find('.') != word.npos;
  const bool is_hidden = numbers > most_numbers || has_long || is_named_device(word);
  return is_hidden || (is_dotted && !may_be_dotted(word)) ? Form::unknown : Form::harmless;
}

}  // namespace

std::size_t phone_length(std::string_view text) {
  constexpr std::size_t fewest_digits = 8, most_digits = 15, fewest_groups = 3, longest_country = 3, longest_group = 5;
  if (!text.starts_with('+')) return 0;
  std::size_t at = end_of(text, 1, is_digit), digits = at - 1, groups = 1, end = at;
  if (digits == 0 || digits > longest_country) return 0;
  while (true) {
    const std::size_t begin = end_of(text, at, [](char c) { return c == ' ' || c == '-' || c == '(' || c == ')'; });
    at = end_of(text, begin, is_digit);
    const bool is_apart = at == text.size() || !is_name_byte(text[at]) || text[at] == '-';
    if (at == begin || begin == end || begin - end > 2 || at - begin > longest_group || !is_apart) break;
    if (digits + at - begin > most_digits) break;
    digits += at - begin;
    ++groups;
    end = at;
  }
  return groups >= fewest_groups && digits >= fewest_digits ? end : 0;
}

std::size_t version_length(std::string_view word) {
  constexpr std::string_view cuda = "cuda";
  constexpr std::size_t most_dots = 2, most_dashes = 2, longest_first = 2, longest_part = 4;
  const std::size_t begin = word.starts_with(cuda) ? cuda.size() : 0;
  std::size_t at = end_of(word, begin, is_digit), dots = 0, dashes = 0;
  // A larger first number may begin an address.
  if (at == begin || at - begin > longest_first || (begin == 0 && at - begin > 1)) return 0;
  while (at + 1 < word.size() && (word[at] == '.' || word[at] == '-') && is_digit(word[at + 1])) {
    const std::size_t end = end_of(word, at + 1, is_digit);
    if ((word[at] == '.' ? dots : dashes)++ >= (word[at] == '.' ? most_dots : most_dashes)) return 0;
    if (end - at - 1 > longest_part) return 0;
    if (end < word.size() && !is_separator(word[end])) break;
    at = end;
  }
  return dots > 0 ? at : 0;
}

Form form_of(std::string_view word) {
  if (is_all_digits(word)) {
    if (word.size() <= longest_number || is_size(word)) return Form::harmless;
    return is_long_time(word) ? Form::time : Form::unknown;
  }
  constexpr std::size_t longest_code = 8;  // The class of a PCI device has this length: `0x068000`.
  const bool is_code = word.size() <= longest_code && end_of(word, 2, is_hex) == word.size();
  if (word.starts_with("0x")) return is_code ? Form::harmless : Form::unknown;
  if (is_interface(word) || is_instance_type(word) || is_time(word)) return Form::harmless;
  if (is_level(word)) return Form::level;
  if (is_hardware_address(word) || may_end_with_address(word)) return Form::unknown;
  const std::size_t version = version_length(word);
  if (version > 0 && form_behind_version(word, version) == Form::harmless) return Form::harmless;
  const Form parts = form_of_parts(word);
  return parts == Form::unknown ? form_of_hex(word) : parts;
}

}  // namespace nccl_analyze::redact
