// Builds evidence from single lines.

#include <algorithm>
#include <vector>

#include "nccl_analyze/rule_parts.h"

namespace nccl_analyze {

Evidence evidence_at(LineRef at) {
  Evidence evidence;
  if (at.line > 0) evidence.add(at);
  return evidence;
}

void add_line(Evidence& evidence, LineRef at) {
  if (at.line == 0) return;
  ++evidence.count;
  std::vector<LineRef>& lines = evidence.lines;
  if (lines.size() < Evidence::max_lines && std::find(lines.begin(), lines.end(), at) == lines.end())
    lines.push_back(at);
}

}  // namespace nccl_analyze
