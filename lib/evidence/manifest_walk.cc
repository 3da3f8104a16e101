#include "evidence/manifest_walk.h"

#include <algorithm>

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_levels = 32, max_key = 256;

}  // namespace

void ManifestWalk::enter(std::string_view key, int index) {
  ++depth_;
  if (levels_.size() < max_levels) levels_.push_back({std::string(key.substr(0, max_key)), index, 0, ++ids_});
}

void ManifestWalk::enter_item() {
  enter(list_key, levels_.empty() ? 0 : levels_.back().items++);
  if (depth_ != 2 || root() != 2) return;
  pod_.end(kind_.shown);
  kind_ = name_ = name_space_ = {};
}

void ManifestWalk::leave() {
  if (depth_ == 0) return;
  --depth_;
  levels_.resize(std::min(levels_.size(), depth_));
}

std::size_t ManifestWalk::root() const {
  return levels_.size() > 1 && levels_[0].key == "items" && levels_[1].key == list_key ? 2 : 0;
}

std::size_t ManifestWalk::pod_spec() const {
  const std::size_t root = this->root();
  for (std::size_t i = levels_.size(); i-- > root;)
    if (levels_[i].key == "spec" && (i == root ? kind_.text == "Pod" : levels_[i - 1].key == "template")) return i + 1;
  return 0;
}

bool ManifestWalk::is_read() const {
  const std::size_t root = this->root(), below = levels_.size() - root;
  if (below == 0) return true;
  const std::string& first = levels_[root].key;
  if (first == "metadata") return below == 1 || levels_[root + 1].key == "name" || levels_[root + 1].key == "namespace";
  if (first != "spec") return below == 1 && (first == "kind" || first == "items");
  const std::size_t spec = pod_spec();
  return spec == 0 || levels_.size() == spec || is_read_in_pod_spec(levels_[spec].key);
}

std::string ManifestWalk::path(std::size_t spec, std::size_t depth) const {
  std::string path;
  for (std::size_t i = spec; i < std::min(depth, levels_.size()); ++i)
    path.append(path.empty() ? "" : "/").append(levels_[i].key);
  return path;
}

void ManifestWalk::begin_pod(std::size_t spec, const SourceQuote& shown) {
  if (levels_[spec - 1].id == spec_id_ || levels_.size() == spec || !is_read_in_pod_spec(levels_[spec].key)) return;
  spec_id_ = levels_[spec - 1].id;
  pod_.begin(kind_.text.empty() ? QuotedValue{{}, shown} : kind_, name_, name_space_);
}

void ManifestWalk::add(std::string_view value, const SourceQuote& shown) {
  if (depth_ > levels_.size()) return leave_out(depth_, shown);
  const std::size_t root = this->root(), below = levels_.size() - root;
  const QuotedValue read{std::string(value.substr(0, max_key)), shown};
  if (below == 1 && levels_[root].key == "kind") kind_ = read;
  if (below == 2 && levels_[root].key == "metadata") {
    if (levels_[root + 1].key == "name") pod_.set_name(name_ = read);
    if (levels_[root + 1].key == "namespace") pod_.set_name_space(name_space_ = read);
  }
  const std::size_t spec = pod_spec();
  if (spec == 0) return;
  begin_pod(spec, shown);
  int positions[2] = {-1, -1};
  std::size_t found = 0;
  for (std::size_t i = spec; i < levels_.size(); ++i)
    if (levels_[i].key == list_key && found < 2) positions[found++] = levels_[i].index;
  pod_.add(path(spec, depth_), positions[0], positions[1], value, shown);
}

void ManifestWalk::leave_out(std::size_t depth, const SourceQuote& shown) {
  const std::size_t spec = pod_spec();
  if (spec == 0) return;
  begin_pod(spec, shown);
  pod_.leave_out(path(spec, depth));
}

}  // namespace nccl_analyze::evidence
