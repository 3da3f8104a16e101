#pragma once
/// Detects the platform of a job (cloud, NCCL or RCCL, release), because the fix depends on it.

#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Whether any of these processes runs on AWS. An EC2 instance type, an EC2 host name or libfabric's provider efa
/// proves it. The plugin aws-ofi-nccl alone proves nothing, because HPE Slingshot uses it too.
bool is_on_aws(const Model& model, const std::vector<Index>& processes);
/// Whether any of these processes has an EC2 host name. A pod with its own network namespace never has one.
bool is_on_ec2_host(const Model& model, const std::vector<Index>& processes);
/// Whether any of these processes uses libfabric, and none of them printed a provider other than efa.
bool uses_efa(const Model& model, const std::vector<Index>& processes);

/// Whether NCCL prints Init START after the bootstrap, as NCCL and RCCL before 2.23 do. True if any process printed
/// such a version, which often only rank 0 does, or lines in a form of such releases alone.
bool starts_after_bootstrap(const Model& model);
/// Whether NCCL may print Init START after the bootstrap: the input neither names the release of a process nor shows
/// that it is 2.23 or newer.
bool may_start_after_bootstrap(const Model& model);

/// The releases of NCCL whose lines have the form of those of the process. Open if the forms contradict each other, and
/// for RCCL, which has kept some forms longer.
Releases releases_by_form(const Model& model, const Process& process);

/// The line up to which NCCL prints the connections of a communicator. `Init COMPLETE` if NCCL connects during the
/// initialisation, as it does up to 2.21, and later with NCCL_RUNTIME_CONNECT=0. Otherwise the first collective, also
/// if neither the version line nor the messages of any process show a version.
std::string_view last_line_about_connections(const Model& model);

/// Whether any process uses RCCL, AMD's library.
bool runs_rccl(const Model& model);

}  // namespace nccl_analyze
