// One queue for each input: threads fill them in the order of inputs, the caller's empties them one after the other.

#include "parallel.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "source.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t batch_bytes = std::size_t{1} << 18;
constexpr std::size_t max_waiting = 16;  // batches of one input

struct Begun {
  std::string name;
};
struct Parsed {
  RecordBatch records;
  std::size_t bytes_read = 0;
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

class Queue {
 public:
  /// Waits for room; false when nobody wants more.
  bool push(Item item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || items_.size() < max_waiting; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  Item pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !items_.empty(); });
    Item item = std::move(items_.front());
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

  /// An empty batch, whose memory was in use before if there is one.
  RecordBatch spare() {
    const std::scoped_lock lock(mutex_);
    if (spare_.empty()) return {};
    RecordBatch batch = std::move(spare_.back());
    spare_.pop_back();
    return batch;
  }

  void give_back(RecordBatch batch) {
    batch.clear();
    const std::scoped_lock lock(mutex_);
    spare_.push_back(std::move(batch));
  }

  void drop_spares() {
    const std::scoped_lock lock(mutex_);
    spare_.clear();
    spare_.shrink_to_fit();
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::vector<RecordBatch> spare_;
  bool closed_ = false;
};

/// Parses one input into its queue.
class Worker {
 public:
  explicit Worker(Queue& queue) : queue_(queue) {}

  void read(const Input& input) {
    read_input(input, {.begin = [this](std::string_view name) { begin(name); },
                       .bytes = [this](std::string_view bytes) { return feed(bytes); },
                       .end = [this] { end(); },
                       .failed = [this](const std::string& sentence) { queue_.push(Failed{sentence}); }});
  }

 private:
  void begin(std::string_view name) {
    queue_.push(Begun{std::string(name)});
    parser_.emplace(SourceId{0}, [this](const Record& record) { parsed_.records.add(record); });
  }

  bool feed(std::string_view bytes) {
    parser_->feed(bytes);
    parsed_.bytes_read += bytes.size();
    return parsed_.records.bytes() < batch_bytes || send();
  }

  void end() {
    parser_->finish();
    send();
    queue_.push(Ended{parser_->stats()});
  }

  bool send() { return queue_.push(std::exchange(parsed_, {queue_.spare(), 0})); }

  Queue& queue_;
  std::optional<Parser> parser_;
  Parsed parsed_;
};

class Crew {
 public:
  Crew(const std::vector<Input>& inputs, unsigned threads) : inputs_(inputs), queues_(inputs.size()) {
    for (unsigned i = 0; i < threads && i < inputs.size(); ++i) threads_.emplace_back([this] { work(); });
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    next_ = inputs_.size();
    for (Queue& queue : queues_) queue.close();
  }

  Queue& queue(std::size_t input) { return queues_[input]; }

 private:
  void work() {
    for (std::size_t i = next_++; i < inputs_.size(); i = next_++) {
      Queue& queue = queues_[i];
      try {
        Worker(queue).read(inputs_[i]);
        queue.push(Done{});
      } catch (...) {
        queue.push(Broken{std::current_exception()});
      }
    }
  }

  const std::vector<Input>& inputs_;
  std::deque<Queue> queues_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> threads_;
};

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

void parse_inputs(const InputList& list, unsigned threads, const ParsedSink& sink) {
  Crew crew(list.inputs, threads);
  for (std::size_t i = 0; i < list.inputs.size(); ++i) {
    enum { going_on, input_done, all_done } state = going_on;
    const Overloaded take{[&](const Begun& item) { sink.begin(item.name); },
                          [&](Parsed& item) {
                            if (!sink.records(item.records, item.bytes_read)) state = all_done;
                            crew.queue(i).give_back(std::move(item.records));
                          },
                          [&](const Ended& item) { sink.end(item.stats); },
                          [&](const Failed& item) { sink.failed(item.sentence); },
                          [&](const Broken& item) { std::rethrow_exception(item.what); },
                          [&](const Done&) { state = input_done; }};
    while (state == going_on) {
      Item item = crew.queue(i).pop();
      std::visit(take, item);
    }
    if (state == all_done) return;
    crew.queue(i).drop_spares();
  }
}

}  // namespace nccl_analyze
