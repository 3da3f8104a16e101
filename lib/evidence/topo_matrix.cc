// Reads the matrix that `nvidia-smi topo -m` prints: a header with the devices and the columns of affinity, a row for
// each device, and a legend with the names of the NICs. Tabs separate the columns, but pasted text has blanks instead
// of tabs, so this reader finds columns by counting words.

#include <algorithm>
#include <string>
#include <vector>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/wording.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::string_view topo_matrix_tool = "nvidia-smi-topo";

/// Whether the text is `prefix` followed by a number of at least 0. Stores the number in `number`.
bool read_label(std::string_view text, std::string_view prefix, int& number) {
  return text.starts_with(prefix) && read_number(text.substr(prefix.size()), number) && number >= 0;
}

/// Returns the number of devices in a header, `GPU0 GPU1 NIC0 CPU Affinity NUMA Affinity`; 0 if the line is no header.
std::size_t devices_in(const std::vector<std::string_view>& words) {
  const auto cpu = std::ranges::find(words, "CPU");
  const bool is_header = !words.empty() && words.front() == "GPU0" && words.end() - cpu > 1 && *(cpu + 1) == "Affinity";
  return is_header ? static_cast<std::size_t>(cpu - words.begin()) : 0;
}

bool is_path(std::string_view text) {
  constexpr std::size_t longest = 6;
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '#';
  });  // `NV#` in the legend
}

MachineNicListed named_nic(std::string_view label, std::string_view device) {
  MachineNicListed nic;
  nic.label = label;
  nic.device = device;
  return nic;
}

class TopoMatrix : public MachineDocument {
 public:
  explicit TopoMatrix(std::string_view first_line) : MachineDocument(topo_matrix_tool, first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) return true;
    if (!begun()) return read_header(words, facts);
    int number = -1;
    if (read_label(words.front(), "GPU", number)) return read_gpu(words, number, facts);
    if (words.size() == 2 && words.front().ends_with(':'))
      return read_nic(words.front().substr(0, words.front().size() - 1), words.back(), facts);
    const bool is_legend = words.front() == "Legend:" ||
                           (words.size() > 1 && ((words[1] == "=" && is_path(words[0])) || words[1] == "Legend:"));
    return is_legend || is_row_of_nic(words);
  }

 private:
  bool read_header(const std::vector<std::string_view>& words, Facts& facts) {
    const std::size_t devices = devices_in(words);
    if (devices == 0 || devices > 2 * max_items) return false;
    for (std::size_t i = 0; i < devices; ++i) devices_.emplace_back(words[i]);
    begin(facts);
    int number = -1;
    for (const std::string& device : devices_) {
      if (read_label(device, "GPU", number)) ++gpus_;
      if (read_label(device, "GPU", number) || read_label(device, "NIC", number)) continue;
      facts.emplace_back(named_nic(device, device), here());  // older drivers print a NIC's name here, not in a legend
    }
    return true;
  }

  /// Reads the row of a GPU: its label, its path to each device, the CPUs near it, their NUMA node, and the NUMA node
  /// of the GPU's memory. Returns false if a path is missing or invalid, or if every GPU of the header has had its row.
  bool read_gpu(const std::vector<std::string_view>& words, int gpu, Facts& facts) {
    if (words.size() <= devices_.size() || rows_ >= gpus_) return false;
    std::string paths;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const std::string_view path = words[i + 1];
      if (!is_path(path)) return false;
      if (path == "X") continue;
      if (!paths.empty()) paths += ' ';
      paths.append(devices_[i]).append("=").append(path);
    }
    int numa = -1;
    if (words.size() > devices_.size() + 2) read_number(words[devices_.size() + 2], numa);
    facts.emplace_back(MachinePathsListed{.gpu = gpu, .numa = numa, .paths = paths}, here());
    if (++rows_ == gpus_) facts.emplace_back(MachineEnded{topo_matrix_tool}, here());
    return true;
  }

  bool is_row_of_nic(const std::vector<std::string_view>& words) const {
    return words.size() > devices_.size() && std::ranges::find(devices_, words.front()) != devices_.end() &&
           std::all_of(words.begin() + 1, words.begin() + 1 + static_cast<std::ptrdiff_t>(devices_.size()), is_path);
  }

  bool read_nic(std::string_view label, std::string_view device, Facts& facts) {
    if (std::ranges::find(devices_, label) == devices_.end()) return false;
    if (++named_ <= max_items) facts.emplace_back(named_nic(label, device), here());
    return true;
  }

  std::vector<std::string> devices_;  ///< The devices in the header.
  std::size_t gpus_ = 0, rows_ = 0, named_ = 0;
};

}  // namespace

std::unique_ptr<Document> begin_topo_matrix(std::string_view line) {
  if (prompt_host(line).empty() && devices_in(words_of(line)) == 0) return nullptr;
  return std::make_unique<TopoMatrix>(line);
}

std::size_t start_of_topo_matrix(std::string_view line, std::size_t sign) {
  const std::string_view before = line.substr(0, sign);
  const std::size_t first = before.find("GPU0");
  return first == std::string_view::npos ? first : trimmed_end(before.substr(0, first)).size();
}

}  // namespace nccl_analyze::evidence
