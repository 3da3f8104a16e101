// The table of built-in profiles, and the parser of users' profile files. A profile omits every property of a machine
// that is not certain, because only the listed expectations are checked.

#include <algorithm>
#include <array>
#include <utility>

#include "expect/expect.h"
#include "expect/located_json.h"
#include "nccl_analyze/requirements.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

struct Row {
  std::string_view name, about;
  std::string_view words;   ///< Expectations of the machine, to which those of `of_every_job` are added.
  std::string_view page;    ///< The document that states the numbers.
  std::string_view stated;  ///< What the document states.
};

/// The documents that rows name as their `page`.
constexpr std::string_view aws = "Karpenter (aws/karpenter-provider-aws), Instance types";
constexpr std::string_view aws_ofi =
    "Karpenter (aws/karpenter-provider-aws), Instance types, and aws-ofi-nccl, src/platform-aws.cpp";
constexpr std::string_view google = "Google Cluster Toolkit (GoogleCloudPlatform/cluster-toolkit)";
constexpr std::string_view basepod = "NVIDIA DGX BasePOD, Core Components";
constexpr std::string_view dgx_a100 = "NVIDIA DGX A100 User Guide, Introduction";
constexpr std::string_view nvl72 = "NVIDIA GB200 NVL72 and GB300 NVL72, product pages";
constexpr std::string_view azure = "Microsoft Learn, Azure virtual machine sizes, GPU accelerated";

/// Expectations that every profile contains.
constexpr std::string_view of_every_job = "logs,one-version,one-network,no-warning";

/// The built-in profiles. lib/queries/bandwidth_figures.cc has the bandwidths of each of these machines. `nics` is the
/// number that the log shows, as counted by NCCL, by libfabric, or by the RDMA protocol of aws-ofi-nccl, which combines
/// the NICs of a GPU into one. It is a minimum (`>=`) for machines that have further adapters for storage or the host.
constexpr std::array<Row, 26> profile_rows{{
    {"a3-highgpu-8g", "Google Cloud: 8 H100 on NVSwitch, 4 NICs with GPUDirect-TCPX", "gpus=8,nvlink,network=TCPX",
     google, "examples/gke-a3-highgpu: 4 networks for 8 GPUs"},
    {"a3-megagpu-8g", "Google Cloud: 8 H100 on NVSwitch, 8 NICs with GPUDirect-TCPXO", "gpus=8,nvlink,network=TCPXO",
     google, "examples/gke-a3-megagpu: 8 networks for 8 GPUs"},
    {"a3-ultragpu-8g", "Google Cloud: 8 H200 on NVSwitch, 8 RoCE NICs of 400 Gbit/s",
     "gpus=8,nvlink,nvls,network=IB,gdr,nics>=8,nics-used>=8", google,
     "examples/gke-a3-ultragpu: 8 RDMA subnets for 8 GPUs"},
    {"a4-highgpu-8g", "Google Cloud: 8 B200 on NVSwitch, 8 RoCE NICs",
     "gpus=8,nvlink,nvls,network=IB,gdr,nics>=8,nics-used>=8", google, "examples/gke-a4: 8 RDMA subnets for 8 GPUs"},
    {"dgx-a100", "NVIDIA DGX A100: 8 A100 on NVSwitch, 8 InfiniBand NICs of 200 Gbit/s for the GPUs",
     "gpus=8,nvlink,network=IB,gdr,nics>=8,nics-used>=8", dgx_a100,
     "8 GPUs, 8 single-port ConnectX-6; ports for storage come on top"},
    {"dgx-b200", "NVIDIA DGX B200: 8 B200 on NVSwitch, 8 NICs of 400 Gbit/s for the GPUs",
     "gpus=8,nvlink,nvls,network=IB,gdr,nics>=8,nics-used>=8", basepod,
     "8 GPUs, 8 single-port ConnectX-7; 2 dual-port NICs for storage come on top"},
    {"dgx-h100", "NVIDIA DGX H100: 8 H100 on NVSwitch, 8 NICs of 400 Gbit/s for the GPUs",
     "gpus=8,nvlink,nvls,network=IB,gdr,nics>=8,nics-used>=8", basepod,
     "8 GPUs, 8 single-port ConnectX-7; 2 dual-port NICs for storage come on top"},
    {"dgx-h200", "NVIDIA DGX H200: 8 H200 on NVSwitch, 8 NICs of 400 Gbit/s for the GPUs",
     "gpus=8,nvlink,nvls,network=IB,gdr,nics>=8,nics-used>=8", basepod,
     "8 GPUs, 8 single-port ConnectX-7; 2 dual-port NICs for storage come on top"},
    {"g5.48xlarge", "AWS: 8 A10G without NVLink, 1 EFA of 100 Gbit/s",
     "platform=g5.48xlarge,gpus=8,network=EFA,nics=1,nics-used=1", aws, "8 GPUs, 1 EFA, 100,000 Mbit/s"},
    {"g6.48xlarge", "AWS: 8 L4 without NVLink, 1 EFA of 100 Gbit/s",
     "platform=g6.48xlarge,gpus=8,network=EFA,nics=1,nics-used=1", aws, "8 GPUs, 1 EFA, 100,000 Mbit/s"},
    {"g6e.48xlarge", "AWS: 8 L40S without NVLink, 4 EFA of 100 Gbit/s",
     "platform=g6e.48xlarge,gpus=8,network=EFA,nics=4", aws, "8 GPUs, 4 EFA, 400,000 Mbit/s"},
    {"g7e.48xlarge", "AWS: 8 RTX PRO 6000 without NVLink, 4 EFA of 400 Gbit/s",
     "platform=g7e.48xlarge,gpus=8,network=EFA,gdr,nics=4", aws,
     "8 GPUs, 4 EFA, 1,600,000 Mbit/s; GPUDirect RDMA: aws-ofi-nccl, src/platform-aws.cpp"},
    {"gb200-nvl72", "NVIDIA GB200 NVL72: 4 B200 a host, NVLink between the hosts of a rack", "gpus=4,nvlink", nvl72,
     "72 GPUs in 18 compute trays"},
    {"gb300-nvl72", "NVIDIA GB300 NVL72: 4 B300 a host, NVLink between the hosts of a rack", "gpus=4,nvlink", nvl72,
     "72 GPUs in 18 compute trays"},
    {"nd-h100-v5", "Azure Standard_ND96isr_H100_v5: 8 H100 on NVSwitch, 8 InfiniBand NICs of 400 Gbit/s",
     "gpus=8,nvlink,nvls,network=IB,gdr,nics>=8,nics-used>=8", azure,
     "ND H100 v5: 8 GPUs, one 400 Gbit/s InfiniBand port each"},
    {"nd-h200-v5", "Azure Standard_ND96isr_H200_v5: 8 H200 on NVSwitch, 8 InfiniBand NICs of 400 Gbit/s",
     "gpus=8,nvlink,nvls,network=IB,gdr,nics>=8,nics-used>=8", azure,
     "ND H200 v5: 8 GPUs, one 400 Gbit/s InfiniBand port each"},
    {"nd-mi300x-v5", "Azure Standard_ND96isr_MI300X_v5: 8 MI300X on xGMI, 8 InfiniBand NICs of 400 Gbit/s",
     "gpus=8,network=IB,gdr,nics>=8,nics-used>=8", azure, "ND MI300X v5: 8 GPUs, one 400 Gbit/s InfiniBand port each"},
    {"nd-a100-v4",
     "Azure Standard_ND96asr_v4 and ND96amsr_A100_v4: 8 A100 on NVSwitch, 8 InfiniBand NICs of 200 Gbit/s",
     "gpus=8,nvlink,network=IB,gdr,nics>=8,nics-used>=8", azure,
     "NDasrA100 v4, NDm A100 v4: 8 GPUs, one 200 Gbit/s InfiniBand port each"},
    {"p4d.24xlarge", "AWS: 8 A100 (40 GB) on NVSwitch, 4 EFA of 100 Gbit/s",
     "platform=p4d.24xlarge,gpus=8,nvlink,network=EFA,gdr,nics=4,nics-used=4", aws_ofi,
     "8 GPUs, 4 EFA, 400,000 Mbit/s; not grouped"},
    {"p4de.24xlarge", "AWS: 8 A100 (80 GB) on NVSwitch, 4 EFA of 100 Gbit/s",
     "platform=p4de.24xlarge,gpus=8,nvlink,network=EFA,gdr,nics=4,nics-used=4", aws_ofi,
     "8 GPUs, 4 EFA, 400,000 Mbit/s; not grouped"},
    {"p5.48xlarge", "AWS: 8 H100 on NVSwitch, 32 EFA of 100 Gbit/s (NCCL sees one group of 4 a GPU)",
     "platform=p5.48xlarge,gpus=8,nvlink,nvls,network=EFA,gdr,nics=8|32,nics-used>=8", aws_ofi,
     "8 GPUs, 32 EFA, 3,200,000 Mbit/s; the RDMA protocol makes 8 groups"},
    {"p5e.48xlarge", "AWS: 8 H200 on NVSwitch, 32 EFA of 100 Gbit/s (NCCL sees one group of 4 a GPU)",
     "platform=p5e.48xlarge,gpus=8,nvlink,nvls,network=EFA,gdr,nics=8|32,nics-used>=8", aws_ofi,
     "8 GPUs, 32 EFA, 3,200,000 Mbit/s; the RDMA protocol makes 8 groups"},
    {"p5en.48xlarge", "AWS: 8 H200 on NVSwitch, 16 EFA of 200 Gbit/s (NCCL sees one group of 2 a GPU)",
     "platform=p5en.48xlarge,gpus=8,nvlink,nvls,network=EFA,gdr,nics=8|16,nics-used>=8", aws_ofi,
     "8 GPUs, 16 EFA, 3,200,000 Mbit/s; the RDMA protocol makes 8 groups"},
    {"p6-b200.48xlarge", "AWS: 8 B200 on NVSwitch, 8 EFA of 400 Gbit/s",
     "platform=p6-b200.48xlarge,gpus=8,nvlink,nvls,network=EFA,gdr,nics=8,nics-used=8", aws_ofi,
     "8 GPUs, 8 EFA, 3,200,000 Mbit/s"},
    {"p6-b300.48xlarge", "AWS: 8 B300 on NVSwitch, 16 EFA of 400 Gbit/s",
     "platform=p6-b300.48xlarge,gpus=8,nvlink,nvls,network=EFA,gdr,nics=8|16,nics-used>=8", aws_ofi,
     "8 GPUs, 16 EFA, 6,400,000 Mbit/s; the RDMA protocol makes 8 groups"},
    {"p6e-gb200.36xlarge", "AWS: GB200, 4 GPUs a host, NVLink between the hosts of a rack, EFA",
     "platform=p6e-gb200.36xlarge,gpus=4,nvlink,network=EFA,gdr", aws_ofi, "4 GPUs"},
}};

constexpr std::size_t max_expectations = 100;  // Limit for one profile.

Profile profile_of(const Row& row) {
  return {.name = std::string(row.name),
          .about = std::string(row.about),
          .source = concat(row.page, ": ", row.stated),
          .expectations = parse_expectations(concat(row.words, ",", of_every_job)).expectations};
}

std::optional<FileError> read_words(const LocatedJson& list, Profile& into) {
  for (const LocatedJson& item : list.items) {
    if (item.kind != LocatedJson::Kind::text)
      return FileError{item.line, concat("an expectation is a text such as \"gdr\", not ", kind_name(item.kind))};
    ParsedExpectations parsed = parse_expectations(item.text);
    if (!parsed.error.empty()) return FileError{item.line, std::move(parsed.error)};
    for (Expectation& expected : parsed.expectations)
      if (std::string error = add_expectation(std::move(expected), into.expectations); !error.empty())
        return FileError{item.line, std::move(error)};
    if (into.expectations.size() > max_expectations)
      return FileError{item.line, concat("more than ", max_expectations, " expectations; remove some")};
  }
  if (into.expectations.empty()) return FileError{list.line, "\"expect\" is empty; name what is expected"};
  return std::nullopt;
}

std::optional<FileError> read_profile(const LocatedJson& root, Profile& into) {
  if (root.kind != LocatedJson::Kind::object)
    return FileError{root.line, concat("a profile is an object, not ", kind_name(root.kind))};
  for (const LocatedJson& value : root.items) {
    const std::string& key = value.key;
    const bool is_list = key == "expect";
    if (!is_list && key != "name" && key != "about" && key != "source")
      return FileError{value.line, concat("a profile has no \"", excerpt(key, 40),
                                          "\"; it has \"name\", \"about\", \"source\" and \"expect\"")};
    const LocatedJson::Kind kind = is_list ? LocatedJson::Kind::array : LocatedJson::Kind::text;
    if (value.kind != kind)
      return FileError{value.line, concat("\"", key, "\" is ", kind_name(kind), ", not ", kind_name(value.kind))};
    if (key == "name") into.name = value.text;
    if (key == "about") into.about = value.text;
    if (key == "source") into.source = value.text;
  }
  const LocatedJson* const list = root.find("expect");
  if (list == nullptr) return FileError{root.line, "\"expect\" is missing: an array such as [\"gpus=8\", \"gdr\"]"};
  return read_words(*list, into);
}

}  // namespace

std::vector<Profile> builtin_profiles() {
  std::vector<Profile> profiles;
  for (const Row& row : profile_rows) profiles.push_back(profile_of(row));
  std::sort(profiles.begin(), profiles.end(), [](const Profile& a, const Profile& b) { return a.name < b.name; });
  return profiles;
}

ParsedProfile parse_profile(std::string_view path, std::string_view json) {
  ParsedProfile parsed;
  const LocatedDocument document = parse_located_json(json);
  std::optional<FileError> error = document.error;
  if (!error) error = read_profile(document.root, parsed.profile);
  if (error) parsed.error = error_text(path, *error);
  return parsed;
}

}  // namespace nccl_analyze
