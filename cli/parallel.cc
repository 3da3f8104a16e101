// One thread cuts the inputs into parts, others parse them, several of one input at a time, and the caller's takes
// them in turn. A part that was parsed out of turn and should not have been is parsed again in turn.

#include "parallel.h"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "nccl_analyze/part_parser.h"
#include "source.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t part_bytes = std::size_t{1} << 18;
constexpr std::size_t max_part_bytes = std::size_t{1} << 22;  // where no line ends

/// One source. Its parser is used by whoever parses its first part, and then by the caller's thread.
struct Source {
  std::optional<Parser> parser;
  RecordBatch* records = nullptr;                    ///< Where the parser's records go.
  bool begun = false;                                ///< The first part is parsed.
  std::shared_ptr<const ParserKnowledge> knowledge;  ///< What parts further on are parsed with, if they can be.
  std::uint32_t in_turn = 0;                         ///< Parts that had to be parsed in turn, one after the other.
};

struct Part {
  std::shared_ptr<Source> source;
  std::string bytes;
  bool first = false, last = false;
  bool whole_lines = false;
  bool done = false;
  RecordBatch records;
  std::optional<ParsedPart> parsed;  ///< Out of turn.
  std::exception_ptr broken;
};
using PartPtr = std::unique_ptr<Part>;

struct Begun {
  std::string name;
};
struct Cut {
  PartPtr part;
};
struct Failed {
  std::string sentence;
};
struct Broken {
  std::exception_ptr what;
};
struct Done {};
using Item = std::variant<Begun, Cut, Failed, Broken, Done>;

/// What the threads hand to one another.
class Exchange {
 public:
  explicit Exchange(std::size_t max_parts) : max_parts_(max_parts) {}

  /// For the thread that cuts. An empty part, whose memory was in use before if there is one; waits for the caller's
  /// thread. Nothing when nobody wants more.
  PartPtr spare() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !spare_.empty() || parts_ < max_parts_; });
    if (closed_) return nullptr;
    if (spare_.empty()) {
      ++parts_;
      return std::make_unique<Part>();
    }
    PartPtr part = std::move(spare_.back());
    spare_.pop_back();
    return part;
  }

  void push(Item item) {
    const std::scoped_lock lock(mutex_);
    if (const Cut* const cut = std::get_if<Cut>(&item)) work_.push_back(cut->part.get());
    items_.push_back(std::move(item));
    changed_.notify_all();
  }

  /// For the threads that parse: the next part; nothing at the end.
  Part* next_work() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !work_.empty(); });
    if (closed_) return nullptr;
    Part* const part = work_.front();
    work_.pop_front();
    return part;
  }

  /// What a part can be parsed with: its source's first part, which another thread took before, has to be done.
  std::shared_ptr<const ParserKnowledge> knowledge_of(const Source& source) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || source.begun; });
    return source.knowledge;
  }

  /// From the parser of a source.
  void publish(Source& source) {
    std::shared_ptr<const ParserKnowledge> knowledge = source.parser->knowledge();
    const std::scoped_lock lock(mutex_);
    source.knowledge.swap(knowledge);
    source.begun = true;
    changed_.notify_all();
  }

  void finish(Part& part) {
    const std::scoped_lock lock(mutex_);
    part.done = true;
    if (part.first) part.source->begun = true;  // broken, maybe
    changed_.notify_all();
  }

  /// For the caller's thread: the next item in turn, a part when it is done.
  Item pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      if (items_.empty()) return false;
      const Cut* const cut = std::get_if<Cut>(&items_.front());
      return cut == nullptr || cut->part->done;
    });
    Item item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

  void give_back(PartPtr part) {
    RecordBatch records = std::move(part->records);
    std::string bytes = std::move(part->bytes);
    records.clear();
    bytes.clear();
    *part = {};
    part->records = std::move(records);
    part->bytes = std::move(bytes);
    const std::scoped_lock lock(mutex_);
    spare_.push_back(std::move(part));
    changed_.notify_all();
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  const std::size_t max_parts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;  ///< In turn; of all parts at most max_parts_.
  std::deque<Part*> work_;  ///< Those of them that nobody parses yet.
  std::vector<PartPtr> spare_;
  std::size_t parts_ = 0;
  bool closed_ = false;
};

/// Where to cut: behind a short line, because what ends a long one may go on in the next; 0 when no line ends.
std::size_t cut_of(std::string_view bytes) {
  constexpr std::size_t short_line = 79;
  constexpr int tries = 64;
  const std::size_t last = bytes.rfind('\n') + 1;
  std::size_t end = last;
  for (int i = 0; i < tries && end > 1; ++i) {
    const std::size_t start = bytes.rfind('\n', end - 2) + 1;
    if (end - start < short_line) return end;
    end = start;
  }
  return last;
}

/// Cuts the inputs.
class Cutter {
 public:
  explicit Cutter(Exchange& exchange) : exchange_(exchange) {}

  void read(const Input& input) {
    read_input(input, {.begin = [this](std::string_view name) { begin(name); },
                       .bytes = [this](std::string_view bytes) { return add(bytes); },
                       .end = [this] { send(true); },
                       .failed = [this](const std::string& sentence) { exchange_.push(Failed{sentence}); }});
  }

 private:
  void begin(std::string_view name) {
    exchange_.push(Begun{std::string(name)});
    source_ = std::make_shared<Source>();
    first_ = between_lines_ = true;
    bytes_.clear();
  }

  bool add(std::string_view bytes) {
    bytes_.append(bytes);
    if (bytes_.size() < part_bytes) return true;
    if (bytes_.size() < max_part_bytes && bytes_.find('\n') == std::string::npos) return true;
    return send(false);
  }

  bool send(bool last) {
    PartPtr part = exchange_.spare();
    if (part == nullptr) return false;
    std::size_t size = last ? bytes_.size() : cut_of(bytes_);
    if (size == 0) size = bytes_.size();
    part->source = source_;
    part->bytes.assign(bytes_, 0, size);
    bytes_.erase(0, size);
    const bool ends_line = part->bytes.ends_with('\n');
    part->whole_lines = std::exchange(between_lines_, ends_line) && ends_line;
    part->first = std::exchange(first_, false);
    part->last = last;
    exchange_.push(Cut{std::move(part)});
    return true;
  }

  Exchange& exchange_;
  std::shared_ptr<Source> source_;
  std::string bytes_;  ///< Of the next part.
  bool first_ = true, between_lines_ = true;
};

/// Parses parts: the first one of a source as it is, others out of turn.
class Worker {
 public:
  Worker(Exchange& exchange, std::uint16_t number) : exchange_(exchange), number_(number) {}

  void parse(Part& part) {
    part.records.borrow(part.bytes);
    if (part.first) return parse_first(part);
    if (!part.whole_lines) return;
    const auto knowledge = exchange_.knowledge_of(*part.source);
    if (knowledge == nullptr) return;
    if (source_ != part.source) {
      source_ = part.source;
      parser_.emplace(
          SourceId{0}, [this](const Record& record) { records_->add(record); }, number_);
    }
    records_ = &part.records;
    part.parsed = parser_->parse(part.bytes, knowledge);
  }

 private:
  void parse_first(Part& part) const {
    Source& source = *part.source;
    source.records = &part.records;
    source.parser.emplace(SourceId{0}, [&source](const Record& record) { source.records->add(record); });
    source.parser->feed(part.bytes);
    if (part.last)
      source.parser->finish();
    else
      exchange_.publish(source);
  }

  Exchange& exchange_;
  std::uint16_t number_;
  std::shared_ptr<Source> source_;
  RecordBatch* records_ = nullptr;
  std::optional<PartParser> parser_;  ///< Of parts of the source.
};

class Crew {
 public:
  Crew(const std::vector<Input>& inputs, unsigned threads) : exchange_(2 * std::size_t{threads} + 2) {
    threads_.emplace_back([this, &inputs] { cut(inputs); });
    for (unsigned i = 1; i <= threads; ++i) threads_.emplace_back([this, i] { work(static_cast<std::uint16_t>(i)); });
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { exchange_.close(); }

  Exchange& exchange() { return exchange_; }

 private:
  void cut(const std::vector<Input>& inputs) {
    try {
      Cutter cutter(exchange_);
      for (const Input& input : inputs) cutter.read(input);
      exchange_.push(Done{});
    } catch (...) {
      exchange_.push(Broken{std::current_exception()});
    }
  }

  void work(std::uint16_t number) {
    Worker worker(exchange_, number);
    while (Part* const part = exchange_.next_work()) {
      try {
        worker.parse(*part);
      } catch (...) {
        part->broken = std::current_exception();
      }
      exchange_.finish(*part);
    }
  }

  Exchange exchange_;
  std::vector<std::jthread> threads_;
};

/// Gives the records of a part that is done; false when no more are wanted.
bool take(Part& part, Exchange& exchange, const ParsedSink& sink) {
  if (part.broken) std::rethrow_exception(part.broken);
  Source& source = *part.source;
  source.records = &part.records;
  std::uint64_t lines_before = 0;
  if (!part.first) {
    const std::uint64_t lines = source.parser->stats().lines;
    if (part.parsed && source.parser->pass(*part.parsed)) {
      lines_before = lines;
      source.in_turn = 0;
    } else {
      part.records.clear();
      part.records.borrow(part.bytes);
      source.parser->feed(part.bytes);
      // where somebody new speaks all the time, what is known is not worth a copy each time
      if (std::has_single_bit(++source.in_turn)) exchange.publish(source);
    }
  }
  if (!sink.records(part.records, lines_before, part.bytes.size())) return false;
  if (!part.last) return true;
  if (!part.first) {
    part.records.clear();
    source.parser->finish();
    if (!sink.records(part.records, 0, 0)) return false;
  }
  sink.end(source.parser->stats());
  return true;
}

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

void parse_inputs(const InputList& list, unsigned threads, const ParsedSink& sink) {
  Crew crew(list.inputs, std::max(threads, 2U) - 1);  // the caller's thread is one of them
  bool going_on = true;
  const Overloaded handle{[&](const Begun& item) { sink.begin(item.name); },
                          [&](Cut& item) {
                            going_on = take(*item.part, crew.exchange(), sink);
                            if (going_on) crew.exchange().give_back(std::move(item.part));
                          },
                          [&](const Failed& item) { sink.failed(item.sentence); },
                          [&](const Broken& item) { std::rethrow_exception(item.what); },
                          [&](const Done&) { going_on = false; }};
  while (going_on) {
    Item item = crew.exchange().pop();
    std::visit(handle, item);
  }
}

}  // namespace nccl_analyze
