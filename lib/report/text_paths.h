#pragma once
/// Over what ranks reach each other, and in which order.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The communicator of most ranks; where no line tells how many one has, one with connections. Null where none has two.
const Communicator* widest_communicator(const Model& model);

/// Of the largest communicator, a sentence a line: what is inside hosts, what is between them, which NICs the GPUs use,
/// the rings; where no connection is shown, what to set.
std::vector<std::string> describe_paths(const Model& model);

/// What the communicator's ranks on a host meet in, in lines: `NVSwitch`, `NVLS, 16 channels`; empty where the log
/// shows neither.
std::vector<std::string> describe_switch(const Communicator& communicator, const Host* host);

/// What stands around hosts that NVLink joins: `NVLink joins these hosts (MNNVL), NVLS on 16 channels`; empty where it
/// does not.
std::string describe_domain(const Communicator& communicator);

/// The order of a ring: of one that is known whole from its lowest rank on, for where a ring begins is no difference.
std::vector<int> from_lowest(const Ring& ring);

/// `0→3→2→1→0` of a ring that is known whole, of many ranks the first and the last few.
std::string describe_ring(const std::vector<int>& order);

/// `2 rings: 0→3→2→1→0`, `16 rings in 2 orders, such as 0→7→6→…→8→0`; empty where none is known whole.
std::string describe_rings(const Communicator& communicator);

}  // namespace nccl_analyze
