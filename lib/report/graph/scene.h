#pragma once
/// Draws one communicator of a picture, by its ranks or by its hosts.

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/model.h"
#include "nccl_analyze/report.h"
#include "report/graph/links.h"
#include "report/graph/picture.h"
#include "report/sentences/suspicions.h"

namespace nccl_analyze {

/// One communicator of the picture, with the data that every drawing function needs.
struct Scene {
  const Model& model;
  Index index = -1;
  const Communicator& communicator;
  const DotOptions& options;
  const Suspicions& suspicions;
  std::string prefix;  ///< Prefix of the ids of all boxes and frames of the scene.
  int frame = -1;      ///< Index of the frame around the scene; -1 for none.
};

/// The names of a host and of its pod. The pod's name may be empty; both are empty for a rank without a process.
using HostName = std::pair<std::string_view, std::string_view>;
HostName host_of(const Model& model, const Rank& rank);
std::string host_label(const HostName& host);
/// Whether DotOptions::inside selects the rank's host. Without that option every rank is selected.
bool is_inside(const Scene& scene, const Rank& rank);
/// Returns the lines of describe_switch() as a label for DOT.
std::string switch_label(const Scene& scene, const Host* host);

/// Adds a line to the title of the scene's frame, or of the picture if the scene has no frame.
void note(const Scene& scene, Picture& picture, const std::string& line);

/// Colours the box of a suspect and adds the suspecting rules to its label: `! NCA606`. Has no effect without a
/// suspicion.
void mark(Box& box, const Suspicion& suspicion);
/// Builds the box of a rank, without its frame and position.
Box rank_box(const Scene& scene, const Rank& rank);

/// Draws a box for each rank, in a frame for each host.
void draw_ranks(const Scene& scene, Picture& picture);
/// Draws a box for each host, or for each group of hosts.
void draw_hosts(const Scene& scene, Picture& picture);

/// Draws an arrow for each link between different boxes; `box_of` returns the box of a place, -1 for none. In the
/// automatic view, links with equal transports in both directions become one arrow with two heads. If there are too
/// many arrows, only the slowest links are drawn.
void draw_links(const Scene& scene, const Links& links, Counted counted, const std::function<int(int place)>& box_of,
                Picture& picture);

}  // namespace nccl_analyze
