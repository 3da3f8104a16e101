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

}  // namespace

bool is_interface(std::string_view word) {
  constexpr std::size_t longest = 16, longest_run = 2, longest_index = 3;
  constexpr std::string_view letters = "sfnpdvuio.";
  if (word.size() > longest || digits_in(word) == 0) return false;
  // Only a short number may follow: Docker and Kubernetes generate names such as `veth207d721` for each container.
  constexpr std::string_view pair = "veth";
  if (word.starts_with(pair)) return digits_in(word) + pair.size() == word.size() && digits_in(word) <= longest_index;
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

bool is_instance_type(std::string_view word) {
  constexpr std::size_t longest_family = 12;
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos || point > longest_family || point < 2) return false;
  const std::string_view size = word.substr(point + 1);
  const std::string_view unit = size.substr(end_of(size, 0, is_digit));
  const bool is_size = unit == "xlarge" || unit == "metal" || unit == "large";
  return is_size && is_letter(word[0]) && end_of(word, 0, is_letter) <= 3 && is_digit(word[end_of(word, 0, is_letter)]);
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
  // The address behind `::ffff:` is cut or masked.
  if (gap == 0 && end_of(run, 2, [](char c) { return c == 'f'; }) == run.size()) return 0;
  const bool has_group = gap != std::string_view::npos && std::ranges::any_of(run, is_digit);
  return std::ranges::count(run, ':') >= fewest_colons || has_group ? end : 0;
}

}  // namespace nccl_analyze::redact
