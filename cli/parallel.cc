// Each file is parsed by one thread. The caller's thread takes the files in turn: of one that nobody has begun it
// parses the records itself, of one that another thread has begun it takes the records which that thread has parsed.

#include "parallel.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "nccl_analyze/record_batch.h"
#include "source.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t batch_records = 1024;
constexpr std::size_t max_batches_ahead = 16;  // of all files but the one whose turn it is

struct Begun {
  std::string name;
};
struct Parsed {
  RecordBatch records;
  std::size_t bytes = 0;  ///< Read for them.
};
struct Ended {
  ParseStats stats;
};
struct Failed {
  std::string sentence;
};
struct Broken {
  std::exception_ptr what;
};
struct Done {};
using Item = std::variant<Begun, Parsed, Ended, Failed, Broken, Done>;

/// What threads have parsed of files whose turn has not come.
class Files {
 public:
  explicit Files(std::size_t count) : files_(count) {}

  /// The next file that no thread has begun, for another thread than the caller's; nothing when there is none.
  std::optional<std::size_t> begin_next() {
    const std::scoped_lock lock(mutex_);
    if (closed_ || next_ == files_.size()) return std::nullopt;
    return next_++;
  }

  /// The turn of a file has come. Whether the caller's thread is to parse it: no other has begun it.
  bool take_turn(std::size_t file) {
    const std::scoped_lock lock(mutex_);
    turn_ = file;
    can_push_.notify_all();
    if (file < next_) return false;
    next_ = file + 1;
    return true;
  }

  /// Waits while too much waits for the caller's thread. False when nothing more is wanted.
  bool push(std::size_t file, Item item) {
    std::unique_lock lock(mutex_);
    can_push_.wait(lock, [&] { return closed_ || (turn_ == file ? files_[file].size() : ahead_) < max_batches_ahead; });
    if (closed_) return false;
    files_[file].push_back(std::move(item));
    ++ahead_;
    if (turn_ == file) can_pop_.notify_one();
    return true;
  }

  /// The next item of the file whose turn it is.
  Item pop() {
    std::unique_lock lock(mutex_);
    std::deque<Item>& items = files_[turn_];
    can_pop_.wait(lock, [&] { return !items.empty(); });
    Item item = std::move(items.front());
    items.pop_front();
    --ahead_;
    can_push_.notify_all();
    return item;
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    can_push_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable can_push_, can_pop_;
  std::vector<std::deque<Item>> files_;
  std::size_t next_ = 0;  ///< The first file that no thread has begun.
  std::size_t turn_ = 0;
  std::size_t ahead_ = 0;  ///< Items of all files.
  bool closed_ = false;
};

/// Parses whole files for the caller's thread.
class Worker {
 public:
  Worker(Files& files, const std::vector<Input>& inputs) : files_(files), inputs_(inputs) {}

  void work() {
    while (const std::optional<std::size_t> next = files_.begin_next()) {
      file_ = *next;
      try {
        parse(inputs_[file_]);
        push(Done{});
      } catch (...) {
        push(Broken{std::current_exception()});
      }
    }
  }

 private:
  void parse(const Input& input) {
    std::optional<Parser> parser;
    read_input(input, {.begin =
                           [&](std::string_view name) {
                             push(Begun{std::string(name)});
                             parser.emplace(SourceId{0}, [this](const Record& record) { parsed_.records.add(record); });
                           },
                       .bytes =
                           [&](std::string_view bytes) {
                             parser->feed(bytes);
                             parsed_.bytes += bytes.size();
                             return parsed_.records.records().size() < batch_records || push_parsed();
                           },
                       .end =
                           [&] {
                             parser->finish();
                             push_parsed();
                             push(Ended{parser->stats()});
                           },
                       .failed = [&](const std::string& sentence) { push(Failed{sentence}); }});
  }

  bool push(Item item) { return files_.push(file_, std::move(item)); }
  bool push_parsed() { return push(std::exchange(parsed_, {})); }

  Files& files_;
  const std::vector<Input>& inputs_;
  std::size_t file_ = 0;
  Parsed parsed_;
};

/// Gives a file's records, in the caller's thread.
class Taker {
 public:
  explicit Taker(const ParsedSink& sink) : sink_(sink) {}

  bool wanted() const { return wanted_; }

  void parse(const Input& input) {
    std::optional<Parser> parser;
    read_input(input, {.begin = [&](std::string_view name) { parser.emplace(sink_.begin(name), sink_.record); },
                       .bytes =
                           [&](std::string_view bytes) {
                             parser->feed(bytes);
                             return read_on(bytes.size());
                           },
                       .end =
                           [&] {
                             parser->finish();
                             sink_.end(parser->stats());
                           },
                       .failed = sink_.failed});
  }

  void take(Files& files) {
    for (bool done = false; wanted_ && !done;) {
      Item item = files.pop();
      if (const auto* const broken = std::get_if<Broken>(&item)) std::rethrow_exception(broken->what);
      if (const auto* const begun = std::get_if<Begun>(&item)) source_ = sink_.begin(begun->name);
      if (const auto* const failed = std::get_if<Failed>(&item)) sink_.failed(failed->sentence);
      if (auto* const parsed = std::get_if<Parsed>(&item)) give(*parsed);
      if (const auto* const ended = std::get_if<Ended>(&item)) sink_.end(ended->stats);
      done = std::holds_alternative<Done>(item);
    }
  }

 private:
  void give(Parsed& parsed) {
    parsed.records.move_to(source_);
    for (const Record& record : parsed.records.records()) sink_.record(record);
    read_on(parsed.bytes);
  }

  bool read_on(std::size_t bytes) {
    wanted_ = sink_.wanted(bytes) && wanted_;
    return wanted_;
  }

  const ParsedSink& sink_;
  SourceId source_{};
  bool wanted_ = true;
};

/// Threads that end when it goes.
class Crew {
 public:
  Crew(Files& files, const std::vector<Input>& inputs, std::size_t count) : files_(files) {
    try {
      for (std::size_t i = 0; i < count; ++i)
        threads_.emplace_back([&files, &inputs] { Worker(files, inputs).work(); });
    } catch (const std::system_error&) {  // there cannot be as many; the caller's thread parses what nobody else does
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { files_.close(); }

 private:
  Files& files_;
  std::vector<std::jthread> threads_;
};

}  // namespace

void parse_inputs(const std::vector<Input>& inputs, unsigned threads, const ParsedSink& sink) {
  Files files(inputs.size());
  const Crew crew(files, inputs, std::min<std::size_t>(threads, inputs.size()) - 1);
  Taker taker(sink);
  for (std::size_t i = 0; i < inputs.size() && taker.wanted(); ++i) {
    if (files.take_turn(i))
      taker.parse(inputs[i]);
    else
      taker.take(files);
  }
}

}  // namespace nccl_analyze
