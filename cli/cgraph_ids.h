#pragma once
/// Numbers the objects of a cgraph graph in the order of creation. By default cgraph uses addresses as ids, and writes
/// and draws clusters in the order of their ids, so the output would differ from run to run.

#include <graphviz/cgraph.h>

#include <map>
#include <string>
#include <utility>

namespace nccl_analyze::graphviz {

class Ids {
 public:
  static constexpr Agiddisc_t callbacks() { return {open, map, alloc, release, print, close, remember}; }

 private:
  static inline void* open(Agraph_t* graph, Agdisc_t* discipline);
  static long map(void* state, int kind, char* name, IDTYPE* id, int create) {
    auto& self = *static_cast<Ids*>(state);
    if (name == nullptr) {
      if (create != 0) *id = 2 * self.next_++ + 1;  // to cgraph, an odd id marks an object without a name
      return create;
    }
    const auto found = self.ids_.find({kind, name});
    if (found == self.ids_.end() && create == 0) return 0;
    *id = found != self.ids_.end() ? found->second : 2 * self.next_++;
    // agwrite() reads the header that agstrdup() puts before each string, so every name must come from agstrdup().
    if (found == self.ids_.end()) self.names_[self.ids_[{kind, name}] = *id] = agstrdup(self.graph_, name);
    return 1;
  }
  static long alloc(void*, int, IDTYPE) { return 0; }
  static void release(void*, int, IDTYPE) {}
  static char* print(void* state, int, IDTYPE id) {
    auto& names = static_cast<Ids*>(state)->names_;
    const auto found = names.find(id);
    return found == names.end() ? nullptr : found->second;
  }
  static void close(void*) {}
  static void remember(void*, int, void*) {}

  Agraph_t* graph_ = nullptr;
  IDTYPE next_ = 1;
  std::map<std::pair<int, std::string>, IDTYPE> ids_;
  std::map<IDTYPE, char*> names_;
};

/// The I/O callbacks and the id table of one graph, for agopen() and agread(). Must outlive the graph.
struct Discipline : Agdisc_t {
  explicit Discipline(const Agiodisc_t& channel) : Agdisc_t{}, io_channel(channel) {
    io = &io_channel;
    id = &id_callbacks;
  }
  Discipline(const Discipline&) = delete;
  Discipline& operator=(const Discipline&) = delete;

  Agiodisc_t io_channel;
  Agiddisc_t id_callbacks = Ids::callbacks();
  Ids ids;
};

/// cgraph calls open() with the graph's discipline, and passes the pointer that open() returns to the other callbacks.
inline void* Ids::open(Agraph_t* graph, Agdisc_t* discipline) {
  Ids& ids = static_cast<Discipline*>(discipline)->ids;
  ids.graph_ = graph;
  return &ids;
}

}  // namespace nccl_analyze::graphviz
