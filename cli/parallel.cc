// One thread cuts the inputs into parts; it reads them for that, but of a plain file only where it cuts. The caller's
// thread takes the parts in turn and parses what nobody has parsed for it; others parse parts further on. Of a plain
// file, who parses a part reads it, so that its bytes are in that core's cache. A part that was parsed out of turn and
// should not have been is parsed again in turn.

#include "parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "failure.h"
#include "nccl_analyze/part_parser.h"
#include "nccl_analyze/record_batch.h"
#include "source.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t part_bytes = std::size_t{1} << 18;
constexpr std::size_t max_part_bytes = std::size_t{1} << 22;  // where no line ends
constexpr std::size_t block_bytes = std::size_t{1} << 16;     // of a part that is parsed as it is read

/// Where a cut is looked for in a file; where no line ends there, the part grows.
constexpr std::size_t window_bytes = std::size_t{1} << 13;

/// One source. Its parser is used by whoever parses its first part, and then by the caller's thread.
struct Source {
  std::string name;
  std::shared_ptr<const Descriptor> file;  ///< Where those who parse read their parts themselves.
  std::optional<Parser> parser;
  std::function<void(const Record&)> give;           ///< Where the parser's records go.
  std::shared_ptr<const ParserKnowledge> knowledge;  ///< What parts further on are parsed with; null: they cannot be.
  std::uint64_t next_try = 0;                        ///< The part that is worth to be parsed out of turn again.
  std::uint32_t refused = 0;                         ///< Parts that were so in vain, one after the other.
  bool ended = false;  ///< Its file had less to read than was cut, or could not be read: no part behind that counts.
  /// PartParsers made for it. Each numbers its senders in a series of its own, so that no two senders of the source
  /// share a number.
  std::atomic<std::uint32_t> part_parsers = 0;

  void begin() {
    parser.emplace(SourceId{0}, [this](const Record& record) { give(record); });
  }
};

struct Part {
  std::shared_ptr<Source> source;
  std::string bytes;
  std::uint64_t place = 0;   ///< In the source's file, of what is to be read yet.
  std::size_t to_read = 0;   ///< So many bytes, if the file has them.
  bool ended = false;        ///< It had not.
  int error = 0;             ///< Why, if not that the file ended: an errno.
  std::uint64_t number = 0;  ///< In its source, from 0.
  bool last = false;
  bool whole_lines = false;
  bool done = false;  ///< Parsed, but for the caller's thread.
  RecordBatch records;
  std::optional<ParsedPart> parsed;  ///< Out of turn.
  std::exception_ptr broken;

  /// For the threads that parse.
  void read() {
    if (to_read == 0) return;
    bytes.resize(to_read);  // over what was there before, for to fill it with zeros takes time
    bytes.resize(source->file->read_at(place, bytes.data(), to_read, error));
    place += bytes.size();
    ended = bytes.size() < std::exchange(to_read, 0);
  }
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

/// What the threads hand to one another. Each kind of thread is woken for what it waits for alone: all of them for
/// everything cost a training log more than the threads gained.
class Exchange {
 public:
  explicit Exchange(std::size_t max_parts) : max_parts_(max_parts) {}

  /// For the thread that cuts. An empty part, whose memory was in use before if there is one; waits for the caller's
  /// thread. Nothing when nobody wants more.
  PartPtr spare() {
    std::unique_lock lock(mutex_);
    // it is not woken for a single one
    if (spare_.empty() && parts_ == max_parts_)
      can_cut_.wait(lock, [&] { return closed_ || 2 * spare_.size() >= parts_; });
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
    if (const Cut* const cut = std::get_if<Cut>(&item)) {
      work_.push_back(cut->part.get());
      if (may_be_parsed(*cut->part)) can_parse_.notify_one();
    }
    items_.push_back(std::move(item));
    if (items_.size() == 1) can_take_.notify_one();
  }

  struct Work {
    Part* part = nullptr;  ///< Null at the end.
    std::shared_ptr<const ParserKnowledge> knowledge;
  };
  /// For the threads that parse: a part as far on as there is, for the caller's thread comes from the other side.
  Work next_work() {
    std::unique_lock lock(mutex_);
    while (!closed_) {
      const auto found =
          std::find_if(work_.rbegin(), work_.rend(), [](const Part* part) { return may_be_parsed(*part); });
      if (found != work_.rend()) {
        Work work{*found, (*found)->source->knowledge};
        work_.erase(std::next(found).base());
        return work;
      }
      can_parse_.wait(lock);
    }
    return {};
  }

  /// From the parser of a source.
  void publish(Source& source) {
    std::shared_ptr<const ParserKnowledge> knowledge = source.parser->knowledge();
    const std::scoped_lock lock(mutex_);
    source.knowledge.swap(knowledge);
    can_parse_.notify_all();
  }

  /// Whether the part had been parsed out of turn to some purpose: where not, others wait, ever longer.
  void judge(const Part& part, bool useful) {
    constexpr std::uint32_t longest = 7;
    const std::scoped_lock lock(mutex_);
    Source& source = *part.source;
    source.refused = useful ? 0 : std::min(source.refused + 1, longest);
    if (!useful) source.next_try = part.number + (std::uint64_t{1} << source.refused);
  }

  void finish(Part& part) {
    const std::scoped_lock lock(mutex_);
    part.done = true;
    if (is_ready()) can_take_.notify_one();
  }

  /// For the caller's thread: the next item in turn, a part when it is done or nobody parses it.
  Item pop() {
    std::unique_lock lock(mutex_);
    can_take_.wait(lock, [&] { return is_ready(); });
    if (const Cut* const cut = std::get_if<Cut>(&items_.front())) std::erase(work_, cut->part.get());
    Item item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

  void give_back(PartPtr part) {
    RecordBatch records = std::move(part->records);
    std::string bytes = std::move(part->bytes);
    records.clear();
    *part = {};
    part->records = std::move(records);
    part->bytes = std::move(bytes);
    const std::scoped_lock lock(mutex_);
    spare_.push_back(std::move(part));
    if (2 * spare_.size() >= parts_) can_cut_.notify_one();
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    can_cut_.notify_all();
    can_parse_.notify_all();
  }

 private:
  static bool may_be_parsed(const Part& part) {
    const Source& source = *part.source;
    return part.number == 0 || (part.whole_lines && source.knowledge != nullptr && part.number >= source.next_try);
  }

  bool is_ready() const {
    if (items_.empty()) return false;
    const Cut* const cut = std::get_if<Cut>(&items_.front());
    return cut == nullptr || cut->part->done || std::find(work_.begin(), work_.end(), cut->part.get()) != work_.end();
  }

  const std::size_t max_parts_;
  std::mutex mutex_;
  std::condition_variable can_cut_, can_parse_, can_take_;
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
  const auto behind_last = [bytes](std::size_t size) {  // std::string_view::rfind looks at each byte
    const void* const newline = ::memrchr(bytes.data(), '\n', size);
    return newline == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data()) + 1;
  };
  const std::size_t last = behind_last(bytes.size());
  std::size_t end = last;
  for (int i = 0; i < tries && end > 1; ++i) {
    const std::size_t start = behind_last(end - 1);
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
                       .end = [this] { end(); },
                       .failed = [this](const std::string& sentence) { exchange_.push(Failed{sentence}); },
                       .file = [this](std::shared_ptr<const Descriptor> file) { cut(std::move(file)); }});
  }

 private:
  void begin(std::string_view name) {
    exchange_.push(Begun{std::string(name)});
    source_ = std::make_shared<Source>();
    source_->name = name;
    number_ = 0;
    between_lines_ = true;
  }

  bool add(std::string_view bytes) {
    if (!open()) return false;
    open_->bytes.append(bytes);
    if (open_->bytes.size() < part_bytes) return true;
    // of a line that does not end only what is new is searched
    const std::size_t before = open_->bytes.size() - bytes.size(), from = before < part_bytes ? 0 : before;
    const std::size_t found = cut_of(std::string_view(open_->bytes).substr(from)), end = found == 0 ? 0 : from + found;
    if (end == 0 && open_->bytes.size() < max_part_bytes) return true;
    PartPtr next = exchange_.spare();
    if (next == nullptr) return false;
    next->bytes.clear();
    if (end != 0) {
      next->bytes.assign(open_->bytes, end);
      open_->bytes.resize(end);
    }
    send(false, open_->bytes.ends_with('\n'));
    open_ = std::move(next);
    return true;
  }

  void cut(std::shared_ptr<const Descriptor> file) {
    source_->file = std::move(file);
    std::uint64_t place = 0;
    while (open()) {
      const NextCut next = next_cut(place);
      open_->place = place;
      open_->to_read = next.size;
      if (next.last) return;
      place += next.size;
      send(false, next.ends_line);
    }
  }

  struct NextCut {
    std::size_t size;  ///< Of the part before it.
    bool last, ends_line;
  };
  /// Of the file, for a part that begins at `place`. The last one goes on to the end, wherever that is when it is read.
  NextCut next_cut(std::uint64_t place) {
    for (std::size_t size = part_bytes;; size *= 2) {
      const std::size_t before = size - window_.size();
      int error = 0;  // who reads the part finds it as well
      const std::size_t count = source_->file->read_at(place + before, window_.data(), window_.size(), error);
      if (count < window_.size()) return {.size = size, .last = true, .ends_line = false};
      const std::size_t end = cut_of({window_.data(), window_.size()});
      if (end != 0) return {.size = before + end, .last = false, .ends_line = true};
      if (size >= max_part_bytes) return {.size = size, .last = false, .ends_line = false};
    }
  }

  void end() {
    if (open()) send(true, source_->file == nullptr && open_->bytes.ends_with('\n'));
  }

  bool open() {
    if (open_ != nullptr) return true;
    open_ = exchange_.spare();
    if (open_ != nullptr && source_->file == nullptr) open_->bytes.clear();
    return open_ != nullptr;
  }

  void send(bool last, bool ends_line) {
    open_->source = source_;
    open_->number = number_++;
    open_->whole_lines = std::exchange(between_lines_, ends_line) && ends_line;
    open_->last = last;
    exchange_.push(Cut{std::move(open_)});
  }

  Exchange& exchange_;
  std::shared_ptr<Source> source_;
  PartPtr open_;              ///< The next part.
  std::uint64_t number_ = 0;  ///< Its.
  bool between_lines_ = true;
  std::array<char, window_bytes> window_{};
};

/// Parses parts: the first one of a source as it is, others out of turn.
class Worker {
 public:
  explicit Worker(Exchange& exchange) : exchange_(exchange) {}

  void parse(Part& part, std::shared_ptr<const ParserKnowledge> knowledge) {
    part.read();
    part.records.borrow(part.bytes);
    if (part.number == 0) return parse_first(part);
    if (part.ended) return;
    if (source_ != part.source) {
      const std::uint32_t series = ++part.source->part_parsers;
      if (series > std::numeric_limits<std::uint16_t>::max()) return;  // parsed in turn
      source_ = part.source;
      parser_.emplace(
          SourceId{0}, [this](const Record& record) { records_->add(record); }, static_cast<std::uint16_t>(series));
    }
    records_ = &part.records;
    part.parsed = parser_->parse(part.bytes, std::move(knowledge));
  }

 private:
  void parse_first(Part& part) const {
    Source& source = *part.source;
    source.give = [&part](const Record& record) { part.records.add(record); };
    source.begin();
    source.parser->feed(part.bytes);
    if (!part.last) exchange_.publish(source);
  }

  Exchange& exchange_;
  std::shared_ptr<Source> source_;
  RecordBatch* records_ = nullptr;
  std::optional<PartParser> parser_;  ///< For parts of `source_`.
};

class Crew {
 public:
  Crew(const std::vector<Input>& inputs, unsigned threads) : exchange_(2 * std::size_t{threads} + 4) {
    threads_.emplace_back([this, &inputs] { cut(inputs); });
    try {
      for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // there cannot be as many; the caller's thread parses what nobody else does
    }
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

  void work() {
    Worker worker(exchange_);
    while (true) {
      Exchange::Work work = exchange_.next_work();
      if (work.part == nullptr) return;
      try {
        worker.parse(*work.part, std::move(work.knowledge));
      } catch (...) {
        work.part->broken = std::current_exception();
      }
      exchange_.finish(*work.part);
    }
  }

  Exchange exchange_;
  std::vector<std::jthread> threads_;
};

/// Takes the parts in turn.
class Taker {
 public:
  Taker(Exchange& exchange, const ParsedSink& sink) : exchange_(exchange), sink_(sink) {}

  void begin(std::string_view name) { source_ = sink_.begin(name); }

  /// False when no more are wanted.
  bool take(Part& part) {
    if (part.broken) std::rethrow_exception(part.broken);
    Source& source = *part.source;
    const bool first_is_done = part.number == 0 && part.done;
    if (first_is_done) give(part.records, 0);
    if (part.number == 0 && !part.done) source.begin();
    source.give = sink_.record;
    source.parser->move_to(source_);
    const bool counts = !source.ended;
    const bool wanted = !counts || read(part, first_is_done);
    source.ended = !counts || part.ended;
    if (part.last) source.parser->finish();
    if (part.last) sink_.end(source.parser->stats());
    if (counts && part.error != 0) sink_.failed(describe("cannot read", source.name, part.error));
    return wanted;
  }

 private:
  /// Gives the records of a part, as far as they were not given. False when no more are wanted.
  bool read(Part& part, bool first_is_done) {
    const bool in_turn = !first_is_done && !passed(part);
    bool wanted = true;
    if (part.to_read != 0) {
      wanted = feed_file(part, part.to_read);
    } else {
      if (in_turn) part.source->parser->feed(part.bytes);
      wanted = sink_.wanted(part.bytes.size());
    }
    if (part.last && part.source->file != nullptr)  // which may have grown
      while (wanted && !part.ended) wanted = feed_file(part, part_bytes);
    // where somebody new speaks all the time, what is known is not worth a copy each time
    if (!part.last && in_turn && (std::has_single_bit(part.number + 1) || part.done)) exchange_.publish(*part.source);
    return wanted;
  }

  /// Whether the records of a part that was parsed out of turn are right, and given.
  bool passed(Part& part) {
    if (!part.done) return false;
    const std::uint64_t lines = part.source->parser->stats().lines;
    const bool right = part.parsed && part.source->parser->pass(*part.parsed);
    exchange_.judge(part, right);
    if (right) give(part.records, lines);
    return right;
  }

  /// Feeds so many bytes of the file, by little pieces as one thread does it, or what there is. False when no more are
  /// wanted.
  bool feed_file(Part& part, std::size_t size) {
    while (size > 0 && !part.ended) {
      const std::size_t asked = std::min(block_bytes, size);
      const std::size_t count = part.source->file->read_at(part.place, block_.get(), asked, part.error);
      part.source->parser->feed({block_.get(), count});
      part.place += count;
      part.ended = count < asked;
      size -= count;
      if (!sink_.wanted(count)) return false;
    }
    return true;
  }

  void give(RecordBatch& records, std::uint64_t lines_before) {
    records.move_to(source_, lines_before);
    for (const Record& record : records.records()) sink_.record(record);
  }

  Exchange& exchange_;
  const ParsedSink& sink_;
  SourceId source_{};
  std::unique_ptr<char[]> block_ = std::make_unique_for_overwrite<char[]>(block_bytes);
};

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

void parse_inputs(const InputList& list, unsigned threads, const ParsedSink& sink) {
  Crew crew(list.inputs, std::max(threads, 2U) - 1);  // the caller's thread is one of them
  Taker taker(crew.exchange(), sink);
  bool going_on = true;
  const Overloaded handle{[&](const Begun& item) { taker.begin(item.name); },
                          [&](Cut& item) {
                            going_on = taker.take(*item.part);
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
