// Reads the rows of show_gids: `mlx5_0  1  3  0000:0000:0000:0000:0000:ffff:0a09:8184  10.9.129.132  v2  eth0`.

#include <set>
#include <string>
#include <tuple>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/wording.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_rows = 1024;
constexpr std::size_t longest_device = 64;

bool is_kind(std::string_view word) { return word == "v1" || word == "v2"; }

/// Whether the line is a row of the table; if so, stores the entry. The IPv4 address is missing for other GIDs, and the
/// interface where the container does not have it.
bool read_gid_row(std::string_view line, MachineGidListed& entry) {
  const auto words = words_of(line);
  constexpr std::size_t fewest = 5, most = 7, gid = 3;
  if (words.size() < fewest || words.size() > most || words[0].size() > longest_device || !is_gid(words[gid]))
    return false;
  if (!read_number(words[1], entry.port) || !read_number(words[2], entry.index) || entry.index < 0) return false;
  const std::size_t kind = is_kind(words[gid + 1]) ? gid + 1 : gid + 2;
  if (kind >= words.size() || !is_kind(words[kind]) || words.size() > kind + 2) return false;
  entry.device = words[0];
  entry.gid = words[gid];
  entry.kind = words[kind];
  if (kind + 1 < words.size()) entry.interface = words[kind + 1];
  return true;
}

bool is_header(std::string_view line) {
  const auto words = words_of(line);
  return words.size() >= 4 && words[0] == "DEV" && words[1] == "PORT" && words[2] == "INDEX" && words[3] == "GID";
}

class GidTable : public MachineDocument {
 public:
  explicit GidTable(std::string_view first_line) : MachineDocument("show_gids", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    if (is_command()) return true;
    MachineGidListed entry;
    if (is_header(line)) return rows_.empty();  // Another header is that of another host.
    if (line.starts_with("---")) return true;
    if (!read_gid_row(line, entry) || rows_.size() >= max_rows) return false;
    if (!rows_.emplace(entry.device, entry.port, entry.index).second) return false;  // The first row of another host.
    begin(facts);
    facts.emplace_back(entry, here());
    return true;
  }

 private:
  std::set<std::tuple<std::string, int, int>> rows_;
};

}  // namespace

std::unique_ptr<Document> begin_gid_table(std::string_view line) {
  MachineGidListed entry;
  if (!is_header(line) && !read_gid_row(line, entry) && prompt_host(line).empty()) return nullptr;
  return std::make_unique<GidTable>(line);
}

std::size_t start_of_gid_table(std::string_view line, std::size_t sign) { return line.substr(0, sign).find("DEV"); }

/// Returns the position of the third word before the GID that holds the sign; npos if there are fewer words.
std::size_t start_of_gid_row(std::string_view line, std::size_t sign) {
  const std::size_t blank = line.substr(0, sign).find_last_of(" \t");
  if (blank == std::string_view::npos) return blank;
  return start_of_words_before(line, blank + 1, 3);
}

}  // namespace nccl_analyze::evidence
