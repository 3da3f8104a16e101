#include "messages/recognizer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace nccl_analyze {

namespace {

std::uint64_t word_at(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Of the beginning, the middle and the end: lines of a dump differ there. Of at least eight bytes.
std::size_t hash_of(std::string_view text) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::uint64_t hash = (word_at(begin) + text.size()) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(begin + std::min<std::size_t>(12, text.size() - 8))) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(begin + text.size() / 2 - 4)) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(end - std::min<std::size_t>(16, text.size()))) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(end - 8)) * odd;
  return static_cast<std::size_t>(hash >> 32U ^ hash >> 52U);  // the last byte has moved only the highest bits
}

}  // namespace

/// The room grows while more is new than it holds; what was kept is met again soon.
Recognizer::Recent& Recognizer::room_for(std::size_t hash) {
  if (++misses_ > recent_.size() && recent_.size() < max_places) {
    recent_ = std::vector<Recent>(max_places);
    mask_ = max_places - ways;
  }
  return places_of(hash)[misses_ % ways];
}

const Row* Recognizer::match(std::string_view message, Event& event) {
  kept_ = nullptr;
  if (const Row* const row = matcher_.match_hot(message, event)) return row;
  if (message.size() < min_size || message.size() > max_size) return matcher_.match(message, event);
  const std::size_t hash = hash_of(message);
  Recent* recent = places_of(hash);
  if (recent->message != message && (++recent)->message != message) {
    recent = &room_for(hash);
    recent->message = message;
    recent->row = matcher_.match(recent->message, recent->event);
    recent->next = none;
    recent->whole = false;
  }
  kept_ = recent;
  event = recent->event;
  return recent->row;
}

}  // namespace nccl_analyze
