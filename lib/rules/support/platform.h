#pragma once
/// On what a job runs, as far as its log proves it: which of several fixes fits, and what its lines mean.

#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// These processes run on AWS: an instance type, libfabric's provider efa or an EC2 host name proves it. That
/// aws-ofi-nccl is loaded does not: it is the plugin of HPE Slingshot too.
bool is_on_aws(const Model& model, const std::vector<Index>& processes);
/// One of these processes prints the name of an EC2 instance as its host's: no pod with a network of its own.
bool is_on_ec2_host(const Model& model, const std::vector<Index>& processes);
/// These processes use libfabric, and not with another provider than efa.
bool uses_efa(const Model& model, const std::vector<Index>& processes);

/// Init START comes after the bootstrap, as up to 2.22 (RCCL of that age too). Mostly rank 0 alone prints the version,
/// so that of any process counts; where none is printed it is taken for a later one.
bool starts_after_bootstrap(const Model& model);

/// The library is AMD's.
bool runs_rccl(const Model& model);
/// Gives all findings the fix for AMD GPUs where the library is AMD's; a fix that stands there already stays.
void fix_on_amd(const Model& model, Verdict& verdict, std::string_view fix);

}  // namespace nccl_analyze
