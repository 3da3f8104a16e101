#pragma once
/// What the report shows of recordings of other tools.

#include "queries/members/line.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<RasOpCounts::Group> = std::tuple{
    in_line("ras_group"),
    member("launched", plain, &RasOpCounts::Group::launched),
    member("ranks", plain, &RasOpCounts::Group::ranks),
};

template <>
inline constexpr auto members_of<RasOpCounts::Listed> = std::tuple{
    in_line("ras_rank"),
    member("rank", plain, &RasOpCounts::Listed::rank),
    member("launched", plain, &RasOpCounts::Listed::launched),
    member("pid", known, &RasOpCounts::Listed::pid),
    member("host", plain, &RasOpCounts::Listed::host),
};

template <>
inline constexpr auto members_of<RasOpCounts> = std::tuple{
    in_block("ras_counts"),
    member("operation", plain, &RasOpCounts::operation),
    member("groups", objects, "Ranks that launched the operation equally often.", &RasOpCounts::groups),
    member("listed", objects, "The ranks outside of the largest group.", &RasOpCounts::listed),
};

template <>
inline constexpr auto members_of<RasLostRank> = std::tuple{
    in_line("ras_lost_rank"),
    member("rank", plain, &RasLostRank::rank),
    member("dead", plain, "Whether NCCL's RAS threads gave up on it.", &RasLostRank::dead),
    member("pid", known, &RasLostRank::pid),
    member("host", plain, &RasLostRank::host),
};

template <>
inline constexpr auto members_of<RasCommunicator> = std::tuple{
    in_block("ras_communicator"),
    member("comm_id", plain, [](const RasCommunicator& comm) { return Hex{comm.comm_id}; }),
    member("nranks", plain, &RasCommunicator::nranks),
    member("reported", plain, "Ranks that answered.", &RasCommunicator::reported),
    member("missing", plain, "Ranks that did not, or no longer have the communicator.", &RasCommunicator::missing),
    member("counts", objects, &RasCommunicator::counts),
    member("lost", objects, "Ranks that do not answer.", &RasCommunicator::lost),
};

template <>
inline constexpr auto members_of<RasReport> = std::tuple{
    in_block("ras_report"),
    flat(&RasReport::at),
    member("nccl", plain, "Version of NCCL.", &RasReport::version),
    member("time", plain, "By the clock of the process that was asked.", &RasReport::time),
    member("communicators", objects, &RasReport::communicators),
};

template <>
inline constexpr auto members_of<FlightRecord> = std::tuple{
    in_line("flight_record"),
    flat(&FlightRecord::at),
    member("group", plain, &FlightRecord::name),
    member("description", plain, &FlightRecord::group),
    member("rank", known, "In the job.", &FlightRecord::global_rank),
    member("enqueued", known, "Number of the last enqueued collective.", &FlightRecord::enqueued),
    member("completed", known, &FlightRecord::completed),
    member("sequence", known, "The first collective that was not complete.", &FlightRecord::sequence),
    member("operation", plain, &FlightRecord::operation),
    member("started", plain, "Whether it had started on the GPU.", &FlightRecord::started),
};

template <>
inline constexpr auto members_of<InspectedRank> = std::tuple{
    in_line("inspected_rank"),
    flat(&InspectedRank::at),
    member("comm_id", plain, [](const InspectedRank& one) { return Hex{one.comm_id}; }),
    member("name", plain, &InspectedRank::comm_name),
    member("rank", plain, &InspectedRank::rank),
    member("nranks", plain, &InspectedRank::nranks),
    member("pid", known, &InspectedRank::pid),
    member("host", plain, &InspectedRank::host),
    member("operation", plain, &InspectedRank::operation),
    member("completed", plain, &InspectedRank::completed),
    member("last", plain, "The highest sequence number.", &InspectedRank::last),
    member("busbw", plain, "The highest, GB/s.", &InspectedRank::busbw),
};

/// The member `recordings` of the report.
struct Recordings {
  const std::vector<RasReport>& ras;
  const std::vector<FlightRecord>& flight_recorder;
  const std::vector<InspectedRank>& inspector;
};
template <>
inline constexpr auto members_of<Recordings> = std::tuple{
    in_block("recordings"),
    member(
        "ras", objects, "Reports of `ncclras -f json`, by line.",
        [](const Recordings& all) -> auto& { return all.ras; }),
    member(
        "flight_recorder", objects, "A process group in a dump of PyTorch's flight recorder, as one rank recorded it.",
        [](const Recordings& all) -> auto& { return all.flight_recorder; }),
    member(
        "inspector", objects, "The collectives of one operation that a rank completed, by the NCCL Inspector.",
        [](const Recordings& all) -> auto& { return all.inspector; }),
};

}  // namespace nccl_analyze::members
