#pragma once
/// Groups processes by message without building the message for every process.

#include <cstddef>
#include <map>
#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Maps messages to groups of processes. A message must depend only on `word`, a value of the process, such as a
/// setting. Consecutive processes mostly have the same value, so the message is built and looked up only when the value
/// changes.
template <class Group, class Word = Text>
class MessageGroups {
 public:
  template <class Message>
  Group& of(const Word& word, Message message) {
    if (last_ == nullptr || !(word == word_)) {
      last_ = &groups_[message()];
      word_ = word;
    }
    return *last_;
  }
  auto begin() { return groups_.begin(); }
  auto end() { return groups_.end(); }
  std::size_t size() const { return groups_.size(); }

 private:
  std::map<std::string, Group> groups_;
  Group* last_ = nullptr;
  Word word_;
};

}  // namespace nccl_analyze
