// Reads the lines of ibdev2netdev: `mlx5_0 port 1 ==> ib0 (Up)`.

#include <memory>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/port_rows.h"
#include "evidence/wording.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::string_view ibdev2netdev_tool = "ibdev2netdev";

/// Whether the line describes a port; if so, stores the port.
bool read_port(std::string_view line, MachinePortListed& port) {
  const auto words = words_of(line);
  constexpr std::size_t count = 6;
  if (words.size() != count || words[1] != "port" || words[3] != "==>" || !read_number(words[2], port.port))
    return false;
  if (words[5] != "(Up)" && words[5] != "(Down)") return false;
  port.device = words[0];
  port.interface = words[4];
  port.state = words[5] == "(Up)" ? "Up" : "Down";
  return true;
}

}  // namespace

std::unique_ptr<Document> begin_ibdev2netdev(std::string_view line) {
  MachinePortListed port;
  if (!read_port(line, port) && prompt_host(line).empty()) return nullptr;
  return std::make_unique<PortRows>(ibdev2netdev_tool, line, read_port);
}

/// Returns the position of the third word before the arrow, where the document begins; npos if there are fewer words.
std::size_t start_of_ibdev2netdev(std::string_view line, std::size_t sign) {
  return start_of_words_before(line, sign, 3);
}

}  // namespace nccl_analyze::evidence
