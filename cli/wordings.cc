// Groups records by wording as they arrive. A process may print its version after its first lines, so its wordings wait
// until the version is known.

#include "cli/wordings.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/versions.h"
#include "model/wording.h"
#include "nccl_analyze/parser.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

/// Returns the version, preceded by the name of the library if it is not NCCL. A longer version is cut to `max_bytes`.
std::string label(const VersionPrinted& event, std::size_t max_bytes) {
  const std::string text = meant_version(event.version.substr(0, max_bytes));
  return event.library == "NCCL" ? text : std::string(event.library) + ' ' + text;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t missing = width - std::min(width, columns(text));
  return right ? std::string(missing, ' ') + text : text + std::string(missing, ' ');
}

}  // namespace

bool Wordings::LowerVersion::operator()(const std::string& a, const std::string& b) const {
  return lower_version(a, b);
}

void Wordings::add(const Record& record) {
  if (const auto* version = std::get_if<VersionPrinted>(&record.event)) {
    constexpr std::size_t max_bytes = 32;
    return note_version(record, label(*version, max_bytes));
  }
  if (!std::holds_alternative<Unrecognized>(record.event)) return;

  const std::string_view message = record.message.substr(0, limits_.bytes);
  std::string wording = fold_numbers(message);
  auto found = groups_.find(wording);
  if (found == groups_.end()) {
    if (groups_.size() >= limits_.wordings) {
      ++not_grouped_;
      return;
    }
    found = groups_.try_emplace(std::move(wording)).first;
    found->second.first = record.at;
    found->second.example = std::string(message);
    first_of_source_ = true;
  }
  ++found->second.count;

  const Sender sender(record.origin.host, record.origin.pod, record.origin.pid);
  auto known = senders_.find(sender);
  if (known == senders_.end()) {
    if (waiting_ >= limits_.waiting) {
      found->second.unknown_version = true;
      return;
    }
    known = senders_.try_emplace(sender).first;
    ++waiting_;
  }
  if (!known->second.version.empty())
    add_version(found->second, known->second.version);
  else if (waiting_ < limits_.waiting)
    waiting_ += known->second.waiting.insert(&*found).second ? 1 : 0;
  else
    found->second.unknown_version = true;
}

void Wordings::note_version(const Record& record, std::string version) {
  if (record.level == Level::version) {
    bare_version_ = std::move(version);
    return;
  }
  Sender sender(record.origin.host, record.origin.pod, record.origin.pid);
  auto known = senders_.find(sender);
  if (known == senders_.end()) {
    if (waiting_ >= limits_.waiting) return;
    known = senders_.try_emplace(std::move(sender)).first;
    ++waiting_;
  }
  known->second.version = std::move(version);
  for (Entry* entry : known->second.waiting) add_version(entry->second, known->second.version);
  waiting_ -= known->second.waiting.size();
  known->second.waiting.clear();
}

void Wordings::add_version(Group& group, const std::string& version) const {
  if (group.versions.size() < limits_.versions)
    group.versions.insert(version);
  else if (!group.versions.contains(version))
    group.more_versions = true;
}

void Wordings::end_source(SourceId source, std::string_view name, const LinePlaces& places) {
  for (const auto& [sender, known] : senders_)
    for (Entry* entry : known.waiting) {
      if (bare_version_.empty())
        entry->second.unknown_version = true;
      else
        add_version(entry->second, bare_version_);
    }
  if (first_of_source_) names_.emplace(static_cast<std::uint32_t>(source), Named{std::string(name), places});
  first_of_source_ = false;
  senders_.clear();
  bare_version_.clear();
  waiting_ = 0;
}

std::string Wordings::versions_of(const Group& group) {
  std::string text = joined(group.versions, ",");
  if (group.more_versions) text += ",...";
  if (group.unknown_version) text += text.empty() ? "?" : ",?";
  return visible(text);
}

void Wordings::write(std::ostream& out) const {
  std::vector<const Entry*> entries;
  entries.reserve(groups_.size());
  for (const Entry& entry : groups_) entries.push_back(&entry);
  std::ranges::sort(entries, [](const Entry* a, const Entry* b) {
    if (a->second.count != b->second.count) return a->second.count > b->second.count;
    return a->first < b->first;
  });

  constexpr std::string_view count_title = "count", versions_title = "versions";
  constexpr std::size_t max_versions_width = 24;
  std::size_t count_width = count_title.size(), versions_width = versions_title.size();
  for (const Entry* entry : entries) {
    count_width = std::max(count_width, std::to_string(entry->second.count).size());
    versions_width = std::max(versions_width, std::min(max_versions_width, columns(versions_of(entry->second))));
  }
  const std::string indent(count_width + versions_width + 4, ' ');
  out << padded(std::string(count_title), count_width, true) << "  "
      << padded(std::string(versions_title), versions_width, false) << "  wording\n";
  for (const Entry* entry : entries) {
    const auto& [wording, group] = *entry;
    const auto name = names_.find(static_cast<std::uint32_t>(group.first.source));
    out << padded(std::to_string(group.count), count_width, true) << "  "
        << padded(versions_of(group), versions_width, false) << "  " << visible(wording) << '\n'
        << indent << visible(name == names_.end() ? "?" : name->second.name) << ':'
        << (name == names_.end() ? group.first.line : name->second.places(group.first.line)) << "  "
        << visible(group.example) << '\n';
  }
  if (not_grouped_ != 0) out << "and " << not_grouped_ << " more lines not grouped\n";
}

}  // namespace nccl_analyze
