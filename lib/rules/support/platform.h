#pragma once
/// Detects the platform of a job (cloud, NCCL or RCCL, release), which decides which fix applies.

#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Whether any of these processes runs on AWS, as an EC2 instance type, the libfabric provider efa or an EC2 host name
/// proves. The plugin aws-ofi-nccl alone proves nothing, since HPE Slingshot uses it too.
bool is_on_aws(const Model& model, const std::vector<Index>& processes);
/// Whether any of these processes has an EC2 host name, which a pod with its own network namespace never has.
bool is_on_ec2_host(const Model& model, const std::vector<Index>& processes);
/// Whether these processes use libfabric, and none of them prints a provider other than efa.
bool uses_efa(const Model& model, const std::vector<Index>& processes);

/// Whether Init START comes after the bootstrap, as it does up to NCCL 2.22 and in RCCL of that age. Mostly only rank 0
/// prints its version, so the version of any process counts. Without a version line the result is false.
bool starts_after_bootstrap(const Model& model);

/// Whether any process uses RCCL, AMD's library.
bool runs_rccl(const Model& model);
/// If the job uses RCCL, sets the fix for AMD GPUs in all findings without a fix of their own.
void fix_on_amd(const Model& model, Verdict& verdict, std::string_view fix);

}  // namespace nccl_analyze
