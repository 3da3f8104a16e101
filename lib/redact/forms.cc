#include "redact/forms.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "redact/bytes.h"
#include "redact/vocabulary.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::size_t longest_number = 8, longest_fraction = 9;

/// What the parts of a word between `-`, `.` and `_` are.
enum class Part : unsigned char { unknown, word, number, counted, quantity };

/// Words for things that are counted: a number may follow, with a separator or none.
constexpr std::array<std::string_view, 84> counted = {
    "gpu",    "cpu",    "rank", "numa",  "nic",   "channel", "ring",     "tree",    "chain", "stage",     "step",
    "epoch",  "iter",   "pg",   "comm",  "port",  "thread",  "cuda",     "cu",      "rocm",  "py",        "python",
    "cp",     "sm",     "gfx",  "hip",   "v",     "rc",      "post",     "amzn",    "el",    "ubuntu",    "gcc",
    "abi",    "llvm",   "mpi",  "level", "ll",    "float",   "int",      "uint",    "fp",    "bf",        "errno",
    "code",   "mlx5",   "mlx4", "bond",  "ib",    "net",     "sse",      "avx",     "group", "pcie",      "gen",
    "nvlink", "nvl",    "so",   "local", "world", "version", "nvswitch", "compute", "c",     "iteration", "x",
    "lane",   "tp",     "dp",   "pp",    "ep",    "pci",     "sxm",      "uverbs",  "r",     "u",         "layer",
    "nv",     "socket", "dim",  "size",  "utf",   "token",   "device"};

constexpr std::array<std::string_view, 40> units_of_numbers = {
    "b",  "kb", "mb", "gb", "tb", "kib", "mib", "gib",  "tib",  "k",   "m", "g",  "t",   "ki",
    "mi", "gi", "ti", "us", "ms", "ns",  "s",   "sec",  "min",  "h",   "d", "hz", "mhz", "ghz",
    "x",  "w",  "gt", "st", "nd", "rd",  "th",  "gbps", "mbps", "bit", "e", "l"};

/// How names of network interfaces and cards begin, before a number.
constexpr std::array<std::string_view, 58> interfaces = {
    "eth",        "ens",       "enp",   "eno",    "ibp",    "ibs",    "ib",      "bond",  "mlx5_",    "mlx4_",
    "mlx5_bond_", "mlx5_ib",   "rdma",  "rdmap",  "roce",   "rocep",  "bnxt_re", "irdma", "efa",      "efa_",
    "hsi",        "cxi",       "hfi1_", "docker", "virbr",  "vlan",   "team",    "br",    "tun",      "wlan",
    "wlp",        "net",       "rxe_",  "siw",    "erdma_", "ionic_", "mana_",   "lxcbr", "lxdbr",    "cni",
    "cbr",        "kube-ipvs", "dummy", "ip6tnl", "tunl",   "sit",    "gre",     "vxlan", "flannel.", "tailscale",
    "wg",         "ppp",       "tap",   "vmbr",   "veth",   "hsn",    "weave",   "utun"};

bool is_all_digits(std::string_view text) { return !text.empty() && end_of(text, 0, is_digit) == text.size(); }

/// The node's end of a pod's link, the bridge of a Docker network.
bool is_generated_interface(std::string_view word) {
  constexpr std::array<std::string_view, 3> begins = {"veth", "br-", "cali"};
  constexpr std::size_t fewest = 7, most = 12;
  return std::ranges::any_of(begins, [&](std::string_view begin) {
    const std::size_t size = word.size() - std::min(begin.size(), word.size());
    return word.starts_with(begin) && size >= fewest && size <= most &&
           end_of(word, begin.size(), is_hex) == word.size();
  });
}

bool is_interface(std::string_view word) {
  if (is_generated_interface(word)) return true;
  constexpr std::size_t longest = 16, longest_run = 2;
  constexpr std::string_view letters = "sfnpdvuio.";
  if (word.size() > longest) return false;
  for (const std::string_view begin : interfaces) {
    if (!word.starts_with(begin) || word.size() == begin.size() || !is_digit(word[begin.size()])) continue;
    std::size_t run = 0;
    const bool is_usual = std::ranges::all_of(word.substr(begin.size()), [&](char c) {
      run = is_digit(c) ? 0 : run + 1;
      return is_digit(c) || (run <= longest_run && letters.find(c) != letters.npos);
    });
    if (is_usual) return true;
  }
  return false;
}

Part kind_of(std::string_view part) {
  constexpr std::size_t longest_count = 4, longest_size = 3;
  const std::size_t digits = end_of(part, 0, is_digit), letters = end_of(part, 0, is_letter);
  if (digits == part.size()) return digits <= longest_fraction ? Part::number : Part::unknown;
  if (is_among(counted, part)) return Part::counted;
  const bool has_number = letters > 0 && is_all_digits(part.substr(letters)) && part.size() - letters <= longest_count;
  if (has_number && is_among(counted, part.substr(0, letters))) return Part::counted;
  if (is_harmless_word(part)) return Part::word;
  const bool has_unit = digits > 0 && digits <= longest_number && is_among(units_of_numbers, part.substr(digits));
  if (has_unit) return Part::quantity;
  // `24xlarge`, `0aws`
  const bool is_variant =
      digits > 0 && digits <= longest_size && part.size() > digits + 2 && is_harmless_word(part.substr(digits));
  return is_variant ? Part::quantity : Part::unknown;
}

/// Six bytes as switches write them: `b8ce.f600.1234`.
bool is_hardware_address(std::string_view word) {
  constexpr std::size_t size = 14, group = 4;
  if (word.size() != size || word[group] != '.' || word[2 * group + 1] != '.') return false;
  return std::ranges::all_of(word, [](char c) { return is_hex(c) || c == '.'; });
}

/// Numbers with separators: a version, a number with decimals, a range, a date.
bool are_harmless_numbers(std::string_view word) {
  constexpr std::size_t longest_of_range = 5;
  const auto dots = std::ranges::count(word, '.'), dashes = std::ranges::count(word, '-');
  const auto others = std::ranges::count(word, '_');
  const std::size_t first = end_of(word, 0, is_digit), last = word.size() - (word.find_last_of("-._") + 1);
  if (others > 0) return others == 1 && dots + dashes == 0 && word.size() <= longest_number + 1;
  if (dashes == 1 && dots == 0) return first <= longest_of_range && last <= longest_of_range;
  const bool is_date = dashes == 2 && dots == 0 && first == 4 && (word.starts_with("19") || word.starts_with("20"));
  if (is_date) return word.size() == std::string_view("2025-01-31").size();
  return dots <= 2 && dashes <= (dots == 2 ? 1 : 0) && first <= longest_number && (dashes == 0 || last == 1);
}

/// Whether a long number is a multiple of 65536, as sizes are and hosts' addresses are not, or a time of these years in
/// milliseconds, microseconds or nanoseconds.
bool is_size_or_time(std::string_view digits) {
  const bool is_fraction = digits.size() == 13 || digits.size() == 16 || digits.size() == 19;
  if (is_fraction && digits[0] == '1' && digits[1] >= '5') return true;
  constexpr std::uint64_t page = 65536;
  std::uint64_t number = 1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number % page == 0 && digits.size() < 20;
}

/// `2025-01-31T10`, `04.123456Z`, `1766937600.123456`, and the level and day of glog: `E0131`.
bool is_time(std::string_view word) {
  constexpr std::size_t date = 10, seconds = 2, epoch = 10;
  if (word.size() == date + 3 && word[date] == 't')
    return is_all_digits(word.substr(date + 1)) && end_of(word, 0, is_digit) == 4 &&
           are_harmless_numbers(word.substr(0, date));
  const std::size_t first = end_of(word, 0, is_digit);
  const std::string_view behind = word.substr(first);
  const std::size_t fraction = behind.starts_with('.') ? end_of(behind, 1, is_digit) : 0;
  const bool has_fraction = fraction > 1 && fraction <= longest_fraction + 1;
  if (first == seconds && word.ends_with('z')) return behind == "z" || (has_fraction && fraction + 1 == behind.size());
  if (first == epoch && word.starts_with('1')) return has_fraction && fraction == behind.size();
  const bool is_glog = first == 0 && is_all_digits(word.substr(1)) && word.size() >= 4 && word.size() <= 5;
  return is_glog && std::string_view("iwef").find(word[0]) != std::string_view::npos;
}

/// A bus id as NCCL writes it (`1b000`, `0-1b000`), a mask of CPUs (`00ffffff`), and whatever has at most five digits.
bool is_short_hex(std::string_view word) {
  constexpr std::size_t longest = 5, longest_mask = 8;
  if (word.size() > 2 && is_digit(word[0]) && word[1] == '-') word.remove_prefix(2);
  if (end_of(word, 0, is_hex) != word.size()) return false;
  if (word.size() <= longest) return std::ranges::any_of(word, is_digit) || word.find_first_not_of('f') == word.npos;
  return word.size() <= longest_mask && word.find_first_not_of("0f") == std::string_view::npos;
}

/// An instance of EC2: `p5en.48xlarge`, `p6-b200.48xlarge`, `g5.metal`.
bool is_instance_type(std::string_view word) {
  constexpr std::size_t longest_family = 12;
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos || point > longest_family || point < 2) return false;
  const std::string_view size = word.substr(point + 1);
  const std::string_view unit = size.substr(end_of(size, 0, is_digit));
  const bool is_size = unit == "xlarge" || unit == "metal" || unit == "large";
  return is_size && is_letter(word[0]) && end_of(word, 0, is_letter) <= 3 && is_digit(word[end_of(word, 0, is_letter)]);
}

bool are_harmless_parts(std::string_view word) {
  constexpr std::size_t most_numbers = 3;
  bool has_word = false;
  Part before = Part::unknown;
  std::size_t numbers = 0;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t end = end_of(word, at, [](char c) { return !is_separator(c); });
    const Part part = end == at ? Part::word : kind_of(word.substr(at, end - at));
    if (part == Part::unknown) return false;
    // A number behind a word counts something, or it is the number of a host: `worker-3`.
    if (part == Part::number && has_word && before != Part::counted) return false;
    numbers += std::ranges::any_of(word.substr(at, end - at), is_digit) ? 1 : 0;
    has_word = has_word || (part != Part::number && end > at);
    if (part != Part::number || at == 0) before = part;
    at = end + 1;
  }
  return has_word ? numbers <= most_numbers : are_harmless_numbers(word);
}

}  // namespace

bool is_harmless_form(std::string_view word) {
  if (is_all_digits(word)) return word.size() <= longest_number || is_size_or_time(word);
  constexpr std::size_t longest_code = 8;  // `0x068000`, the class of a PCI device
  if (word.starts_with("0x")) return word.size() <= longest_code && end_of(word, 2, is_hex) == word.size();
  return is_interface(word) || is_instance_type(word) || is_time(word) || is_short_hex(word) ||
         (!is_hardware_address(word) && are_harmless_parts(word));
}

std::size_t bus_id_length(std::string_view text) {
  const auto field = [&](std::size_t at, std::size_t size) {
    return at + size <= text.size() && end_of(text.substr(0, at + size), at, is_hex) == at + size;
  };
  const auto is_at = [&](std::size_t at, char c) { return at < text.size() && text[at] == c; };
  for (const std::size_t domain : {std::size_t{8}, std::size_t{4}, std::size_t{0}}) {
    const std::size_t bus = domain == 0 ? 0 : domain + 1;
    if (domain > 0 && (!field(0, domain) || !is_at(domain, ':') || !text.starts_with("0"))) continue;
    if (!field(bus, 2) || !is_at(bus + 2, ':') || !field(bus + 3, 2)) continue;
    const bool has_function = is_at(bus + 5, '.') && field(bus + 6, 1);
    if (!has_function && domain == 0) continue;
    const std::size_t end = bus + (has_function ? 7 : 5);
    if (end >= text.size() || (!is_name_byte(text[end]) && text[end] != ':')) return end;
  }
  return 0;
}

std::size_t colon_run_length(std::string_view text) {
  std::size_t end = end_of(text, 0, [](char c) { return is_hex(c) || c == ':'; });
  // A word may begin with hexadecimal digits: `c10::Error`.
  const bool runs_into_word = end < text.size() && (text[end] == '_' || is_letter(text[end]));
  if (runs_into_word) end = std::min(text.substr(0, end).rfind(':'), end);
  const std::ptrdiff_t fewest_colons = runs_into_word ? 2 : 3;
  if (end < text.size() && text[end] == '.') end = end_of(text, end, [](char c) { return is_digit(c) || c == '.'; });
  if (text.starts_with(':') && !text.starts_with("::")) return 0;
  while (end > 0 && (text[end - 1] == ':' || text[end - 1] == '.')) --end;
  const std::string_view run = text.substr(0, end);
  const std::size_t gap = run.find("::");
  // Of NCCL's prefix without its host, `::152:386` is left.
  const bool is_prefix = gap == 0 && end_of(run, 2, [](char c) { return is_digit(c) || c == ':'; }) == run.size();
  if (is_prefix) return 0;
  const bool has_group = gap != std::string_view::npos && std::ranges::any_of(run, is_digit);
  return std::ranges::count(run, ':') >= fewest_colons || has_group ? end : 0;
}

}  // namespace nccl_analyze::redact
