// Recognises network interfaces and cards, PCI addresses, and numbers with colons.

#include <algorithm>
#include <array>

#include "redact/bytes.h"
#include "redact/forms.h"

namespace nccl_analyze::redact {

namespace {

/// Prefixes of the names that systems give to network interfaces and cards. A number follows the prefix.
constexpr std::array<std::string_view, 58> interfaces = {
    "eth",        "ens",       "enp",   "eno",    "ibp",    "ibs",    "ib",      "bond",  "mlx5_",    "mlx4_",
    "mlx5_bond_", "mlx5_ib",   "rdma",  "rdmap",  "roce",   "rocep",  "bnxt_re", "irdma", "efa",      "efa_",
    "hsi",        "cxi",       "hfi1_", "docker", "virbr",  "vlan",   "team",    "br",    "tun",      "wlan",
    "wlp",        "net",       "rxe_",  "siw",    "erdma_", "ionic_", "mana_",   "lxcbr", "lxdbr",    "cni",
    "cbr",        "kube-ipvs", "dummy", "ip6tnl", "tunl",   "sit",    "gre",     "vxlan", "flannel.", "tailscale",
    "wg",         "ppp",       "tap",   "vmbr",   "veth",   "hsn",    "weave",   "utun"};

/// These names may have a number of five digits: that of a place on the bus, as virtual machines and some firmware
/// count it (`enP53091s1`, `eno12399`).
constexpr std::array<std::string_view, 5> interfaces_of_bus = {"eno", "enp", "ibp", "rdmap", "rocep"};

/// Returns the known prefix with which an interface name at the start of `word` begins, if a number follows it; else
/// empty.
std::string_view interface_before(std::string_view word) {
  const auto found = std::ranges::find_if(interfaces, [&](std::string_view begin) {
    return word.size() > begin.size() && word.starts_with(begin) && is_digit(word[begin.size()]);
  });
  return found == interfaces.end() ? std::string_view() : *found;
}

/// Whether `text`, the rest of an interface name after its prefix, consists of numbers of at most `most_digits` digits,
/// each followed by at most two letters: `49s0f1np1`.
bool is_place_of_interface(std::string_view text, std::size_t most_digits) {
  constexpr std::size_t most_letters = 2;
  constexpr std::string_view letters = "sfnpdvuio";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t digits = end_of(text, at, is_digit);
    const std::size_t end = end_of(text, digits, [&](char c) { return letters.find(c) != letters.npos; });
    if (end == at || digits - at > most_digits || end - digits > most_letters) return false;
    at = end;
  }
  return true;
}

/// Returns the length of the letters and the number of the family of an instance type, `p6` or `u`; 0 if there is none.
std::size_t family_length(std::string_view word) {
  constexpr std::array<std::string_view, 24> families = {"p",  "g",  "c",  "m",   "r",   "t",  "x",   "u",
                                                         "i",  "d",  "h",  "z",   "a",   "f",  "b",   "dl",
                                                         "vt", "im", "is", "inf", "trn", "gr", "hpc", "mac"};
  constexpr std::size_t most_digits = 2;
  const std::size_t letters = end_of(word, 0, is_letter), digits = end_of(word, letters, is_digit);
  const bool has_number = digits > letters && digits - letters <= most_digits;
  const bool is_memory = word.starts_with("u-");
  return is_among(families, word.substr(0, letters)) && (has_number || is_memory) ? digits : 0;
}

/// Whether a text has the letters that tell apart the types of one family: the maker of its processor, then at most
/// three attributes, as `en` of `p5en` or `iezn` of `x2iezn`.
bool are_attributes(std::string_view text) {
  constexpr std::string_view makers = "agiq", attributes = "bdensuz";
  constexpr std::size_t most = 3;
  if (!text.empty() && makers.find(text[0]) != makers.npos) text.remove_prefix(1);
  return text.size() <= most && text.find_first_not_of(attributes) == text.npos;
}

/// Whether a text is empty or names the GPU, the processor or the memory of an instance type: `-b200`, `-m2`, `-12tb`.
bool is_variant(std::string_view text) {
  if (text.empty() || text == "-flex") return true;
  const std::size_t letters = end_of(text, 1, is_letter), digits = end_of(text, letters, is_digit);
  const std::string_view kind = text.substr(1, letters - 1), unit = text.substr(digits);
  const bool has_kind = kind == "b" || kind == "gb" || kind == "m";
  const bool is_memory = kind.empty() && (unit == "tb" || unit == "tb1");
  return text[0] == '-' && digits > letters && digits - letters <= 3 && (is_memory || (has_kind && unit.empty()));
}

}  // namespace

bool is_interface(std::string_view word) {
  constexpr std::size_t longest = 16, longest_index = 3, longest_number = 4;
  if (word.size() > longest || digits_in(word) == 0) return false;
  // Only a short number may follow: Docker and Kubernetes generate names such as `veth207d721` for each container.
  constexpr std::string_view pair = "veth";
  if (word.starts_with(pair)) return digits_in(word) + pair.size() == word.size() && digits_in(word) <= longest_index;
  const std::string_view begin = interface_before(word);
  if (begin.empty()) return false;
  word.remove_prefix(begin.size());
  const std::size_t point = word.find('.');
  if (point != word.npos) {
    const std::string_view vlan = word.substr(point + 1);
    if (vlan.empty() || vlan.size() > longest_number || digits_in(vlan) < vlan.size()) return false;
  }
  return is_place_of_interface(word.substr(0, point), longest_number + (is_among(interfaces_of_bus, begin) ? 1 : 0));
}

bool may_end_with_address(std::string_view word) {
  if (std::ranges::count(word, '.') < 2) return false;
  const std::string_view begin = interface_before(word);
  const std::string_view numbers = word.substr(begin.size());
  return !begin.empty() && numbers.find_first_not_of("0123456789.") == numbers.npos;
}

bool is_instance_type(std::string_view word) {
  constexpr std::string_view sizes[] = {"xlarge", "metal", "large"};
  constexpr std::size_t most_digits = 3;
  const std::size_t point = word.find('.'), family = family_length(word);
  if (point == std::string_view::npos || family == 0) return false;
  const std::string_view size = word.substr(point + 1), rest = word.substr(0, point).substr(std::min(family, point));
  const std::size_t digits = end_of(size, 0, is_digit), dash = std::min(rest.find('-'), rest.size());
  return digits <= most_digits && is_among(sizes, size.substr(digits)) && are_attributes(rest.substr(0, dash)) &&
         is_variant(rest.substr(dash));
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
  // A damaged line may have lost the host before `::152:386`.
  const bool is_prefix = gap == 0 && end_of(run, 2, [](char c) { return is_digit(c) || c == ':'; }) == run.size();
  if (is_prefix) return 0;
  // The address after `::ffff:` is cut or masked.
  if (gap == 0 && end_of(run, 2, [](char c) { return c == 'f'; }) == run.size()) return 0;
  const bool has_group = gap != std::string_view::npos && std::ranges::any_of(run, is_digit);
  return std::ranges::count(run, ':') >= fewest_colons || has_group ? end : 0;
}

}  // namespace nccl_analyze::redact
