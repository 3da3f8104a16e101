#include "model/build/quotes.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <initializer_list>

#include "messages/event_text.h"
#include "model/stable_sort.h"
#include "model/timestamp.h"
#include "model/wording.h"
#include "nccl_analyze/events/ib.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_quote = 600;         // longest quote in bytes
constexpr std::size_t max_incident_lines = 3;  // lines quoted per incident

/// Replaces numbers by `#`, so that messages that differ only in numbers become equal.
std::string folded(std::string_view text) { return fold_numbers(text.substr(0, max_quote)); }
/// Whether incidents of this kind are compared after fold_numbers(), because peers and ports differ between retries.
bool is_repeated(IncidentKind kind) {
  return kind == IncidentKind::connect_retried || kind == IncidentKind::call_retried ||
         kind == IncidentKind::ras_timed_out;
}

/// Appends the parts to the key, with a slash between them.
void append_parts(std::string& key, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) key.append(&part == parts.begin() ? "" : "/").append(part);
}

/// Appends the part of the deduplication key that represents the message. For a fact, it lists the members of the
/// event, because the quote of a fact may lack the name of a pod or a rank.
void append_words(std::string& key, const Incident& incident, const Record& record) {
  if (record.is_fact) {
    for (const auto& [name, value] : event_text(record.event).members)
      key.append(name.view()).append("=").append(value.view()).append("\n");
    return;
  }
  if (incident.kind == IncidentKind::phrase_seen)
    return append_parts(
        key, {incident.topic, folded(incident.event.as<PhraseSeen>().phrase), incident.error, incident.aspect});
  if (incident.kind == IncidentKind::wqe_delayed) {
    const auto& event = incident.event.as<WqeDelayed>();
    // One incident is kept for each peer, NIC and order of magnitude, so that the longest delay of each peer is kept.
    const auto magnitude = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(event.delay, 0)));
    return append_parts(key, {event.what, event.peer, event.device, std::to_string(magnitude)});
  }
  if (is_repeated(incident.kind))
    key.append(folded(incident.message));
  else
    key.append(incident.message);
}

}  // namespace

void Quotes::keep_text(const Record& record) {
  if (record.text.empty()) return;
  quotes_.push_back({record.at, std::string(record.text.substr(0, max_quote))});
}

void Quotes::add_incident(Incident&& incident, const Record& record) {
  incident.message.resize(std::min(incident.message.size(), max_quote));
  incident.error.resize(std::min(incident.error.size(), KeptEvent::max_text));
  key_.clear();
  for (const int number : {incident.process, static_cast<int>(incident.kind), incident.communicator})
    key_.append(std::to_string(number)).append("/");
  append_words(key_, incident, record);
  const auto [found, made] = incident_index_.try_emplace(key_, incidents_.size());
  const bool is_external = record.level == Level::external;
  newest_.key.assign(is_external ? std::string_view(key_) : std::string_view{});
  newest_.message.assign(is_external ? std::string_view(incident.message) : std::string_view{});
  newest_.at = record.at;
  newest_.made = made;
  if (made) {
    if (is_timed(record)) {
      incident.first = moment_of(record.origin);
      incident.first_utc = utc_of(record.origin);
    }
    if (incidents_.size() >= limits_.max_incidents) {
      incident_index_.erase(found);
      newest_ = {};
      dropped_ += record.times;
      return;
    }
    incidents_.push_back(std::move(incident));
  }
  Evidence& evidence = incidents_[found->second].evidence;
  evidence.add(record.at, record.times);
  if (evidence.count <= max_incident_lines) keep_text(record);
}

void Quotes::take_back(const Record& record) {
  const bool is_same = !newest_.key.empty() && newest_.at == record.at &&
                       newest_.message.size() < record.message.size() && record.message.starts_with(newest_.message);
  const auto found = is_same ? incident_index_.find(newest_.key) : incident_index_.end();
  if (found == incident_index_.end()) return;
  Evidence& evidence = incidents_[found->second].evidence;
  if (!evidence.lines.empty() && evidence.lines.back() == record.at) evidence.lines.pop_back();
  evidence.count -= std::min<std::uint64_t>(evidence.count, 1);
  if (newest_.made && found->second + 1 == incidents_.size()) {
    incidents_.pop_back();
    incident_index_.erase(found);
  }
  newest_ = {};
}

void Quotes::add_unrecognized(const Record& record) {
  const auto [found, made] = sample_index_.try_emplace(folded(record.message), samples_.size());
  if (made) {
    if (samples_.size() >= limits_.max_samples) {
      sample_index_.erase(found);
      return;
    }
    samples_.push_back({std::string(record.message.substr(0, max_quote)), 0, record.at});
  }
  samples_[found->second].count += record.times;
}

void Quotes::finish(Model& model) {
  std::sort(quotes_.begin(), quotes_.end(),
            [](const Quote& a, const Quote& b) { return std::tie(a.at, a.text) < std::tie(b.at, b.text); });
  std::vector<Quote> quotes;
  for (Quote& quote : quotes_) {
    if (quotes.empty() || quotes.back().at != quote.at)
      quotes.push_back(std::move(quote));
    else if (quote.text.find(quotes.back().text) != std::string::npos)
      quotes.back().text = std::move(quote.text);
    else if (quotes.back().text.find(quote.text) == std::string::npos && quotes.back().text.size() < max_quote)
      quotes.back().text += " ... " + quote.text;  // The line has two records.
  }
  sort_stably(samples_,
              [](const Sample& a, const Sample& b) { return a.count != b.count ? a.count > b.count : a.at < b.at; });
  model.quotes = std::move(quotes);
  model.incidents = std::move(incidents_);
  model.unrecognized = std::move(samples_);
  model.dropped += dropped_;
}

}  // namespace nccl_analyze::builder
