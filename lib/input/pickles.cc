// Holds back the bytes of what may be a pickle; a pickle is read as a whole.

#include "input/pickles.h"

#include <algorithm>
#include <utility>

#include "evidence/pickle.h"

namespace nccl_analyze {

namespace {

constexpr const char* copy_it =
    "; PyTorch's own dumps are whole and hold data alone: copy it again, or dump it as JSON";
constexpr const char* shorten_it =
    "; let PyTorch record fewer operations, TORCH_FR_BUFFER_SIZE=2000 (before PyTorch 2.9 "
    "TORCH_NCCL_TRACE_BUFFER_SIZE), "
    "and no frames of C++, TORCH_FR_CPP_STACK=0 (TORCH_NCCL_TRACE_CPP_STACK)";

}  // namespace

SourceSink PickleReading::sink() {
  SourceSink between = sink_;
  between.begin = [this](std::string_view name) { begin(name); };
  between.bytes = [this](std::string_view block) { return bytes(block); };
  between.end = [this] { end(); };
  between.cut = [this] { cut(); };
  return between;
}

void PickleReading::begin(std::string_view name) {
  name_ = name;
  state_ = State::undecided;
  held_.clear();
  cut_ = false;
}

bool PickleReading::bytes(std::string_view bytes) {
  if (state_ == State::other) return sink_.bytes(bytes);
  // One byte more than is read shows that a pickle is too large.
  held_ += bytes.substr(0, evidence::max_pickle_size + 1 - std::min(evidence::max_pickle_size + 1, held_.size()));
  if (state_ == State::pickle) return true;
  if (evidence::is_flight_recorder_pickle(held_))
    state_ = State::pickle;
  else if (!evidence::may_be_pickle(held_) || held_.size() >= evidence::pickle_head_size)
    return pass_held();
  return true;
}

void PickleReading::end() {
  if (state_ == State::pickle) return pass_pickle();
  if (state_ == State::undecided) pass_held();
  if (cut_ && sink_.cut) sink_.cut();
  sink_.end();
}

void PickleReading::cut() { cut_ = true; }

bool PickleReading::pass_held() {
  state_ = State::other;
  sink_.begin(name_);
  return held_.empty() || sink_.bytes(std::exchange(held_, {}));
}

void PickleReading::pass_pickle() {
  const evidence::PickledJson read = evidence::json_of_pickle(held_);
  if (!read.wrong.empty())
    return sink_.failed(
        {name_, read.wrong, "cannot read " + name_ + ": " + read.wrong + (read.is_too_large ? shorten_it : copy_it)});
  if (read.size < held_.size())
    sink_.failed({name_, "bytes follow its pickle", "what follows the pickle of " + name_ + " is left out"});
  held_.clear();
  sink_.begin(name_);
  sink_.bytes(read.json);
  if (sink_.pickled) sink_.pickled();
  sink_.end();
}

}  // namespace nccl_analyze
