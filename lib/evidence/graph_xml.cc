// Reads the file that NCCL writes for NCCL_GRAPH_DUMP_FILE (src/graph/search.cc, ncclTopoGetXmlFromGraphs): the
// channels that NCCL found for each algorithm, before it duplicates them.

#include <string>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/wording.h"
#include "evidence/xml_tags.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

class GraphXml : public MachineDocument {
 public:
  explicit GraphXml(std::string_view first_line) : MachineDocument("graph-xml", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    if (!is_line_of_tags(line)) return false;
    if (begun() && line.find("<graphs ") != std::string_view::npos) return false;  // the first line of another file
    Tag tag;
    for (Tags tags(line); !ended() && tags.next(tag);) read_tag(tag, facts);
    return true;
  }

 private:
  void read_tag(const Tag& tag, Facts& facts) {
    if (tag.name == "graphs") return tag.closes ? end(facts) : begin(facts);
    if (tag.name == "channel") return tag.closes ? end_channel(facts) : path_.clear();
    if (tag.closes) return;
    if (tag.name == "graph") return add_graph(tag, facts);
    if (tag.name == "net") return add_node("NET/", tag.number("dev", std::int64_t{-1}));
    if (tag.name == "gpu") return add_node("rank/", tag.number("rank", std::int64_t{-1}));
  }

  void add_graph(const Tag& tag, Facts& facts) {
    graph_ = tag.number("id", -1);
    channels_ = 0;
    if (++graphs_ > max_items) return;
    facts.emplace_back(MachineGraphListed{.id = graph_,
                                          .pattern = tag.number("pattern", -1),
                                          .nchannels = tag.number("nchannels", -1),
                                          .speed_intra = measured(tag.number("speedintra", 0.0)),
                                          .speed_inter = measured(tag.number("speedinter", 0.0)),
                                          .type_intra = tag.text("typeintra"),
                                          .type_inter = tag.text("typeinter")},
                       here());
  }

  void add_node(std::string_view type, std::int64_t number) {
    constexpr std::size_t longest = 1000;
    if (path_.size() > longest) return;
    if (!path_.empty()) path_ += ' ';
    path_.append(type).append(std::to_string(number));
  }

  void end_channel(Facts& facts) {
    if (graphs_ <= max_items && channels_ < max_items && !path_.empty())
      facts.emplace_back(MachineChannelListed{.graph = graph_, .channel = static_cast<int>(channels_), .path = path_},
                         here());
    ++channels_;
    path_.clear();
  }

  int graph_ = -1;
  std::size_t graphs_ = 0, channels_ = 0;
  std::string path_;
};

}  // namespace

std::unique_ptr<Document> begin_graph_xml(std::string_view line) { return std::make_unique<GraphXml>(line); }

}  // namespace nccl_analyze::evidence
