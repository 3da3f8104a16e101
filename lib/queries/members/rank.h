#pragma once
/// What the report shows of the ranks of a communicator.

#include <optional>

#include "queries/members/member.h"
#include "text/escape.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<BootstrapSeconds> = std::tuple{
    in_line("bootstrap_seconds"),
    member("total", plain, &BootstrapSeconds::total),
    member("create", plain, &BootstrapSeconds::create),
    member("send", plain, &BootstrapSeconds::send),
    member("recv", plain, &BootstrapSeconds::recv),
    member("ring", plain, &BootstrapSeconds::ring),
    member("delay", plain, &BootstrapSeconds::delay),
};

template <>
inline constexpr auto members_of<InitSeconds> = std::tuple{
    in_line("init_seconds"),
    member("total", plain, &InitSeconds::total),
    member("kernels", plain, &InitSeconds::kernels),
    member("alloc", plain, &InitSeconds::alloc),
    member("bootstrap", plain, &InitSeconds::bootstrap),
    member("allgathers", plain, &InitSeconds::allgathers),
    member("topo", plain, &InitSeconds::topo),
    member("graphs", plain, &InitSeconds::graphs),
    member("connections", plain, &InitSeconds::connections),
    member("rest", plain, &InitSeconds::rest),
};

template <>
inline constexpr auto members_of<StampedSeconds> = std::tuple{
    in_line("stamped_seconds"),
    member("to_start", known,
           "Until Init START, which stands after the bootstrap to 2.22.3 and before it since 2.23.4.",
           &StampedSeconds::to_start),
    member("to_complete", at_least(0), "Until Init COMPLETE.", &StampedSeconds::to_complete),
};

template <>
inline constexpr auto members_of<CollectiveCall> = std::tuple{
    in_line("call"),
    member("operation", word<Operation::recv>, &CollectiveCall::operation),
    member("op_count", like("^[0-9a-f]{1,16}$"), "NCCL's own count, which may differ between ranks that call the same.",
           [](const CollectiveCall& call) { return to_hex(call.op_count); }),
    member("count", known, "Elements.", &CollectiveCall::count),
    member("datatype", known, [](const CollectiveCall& call) { return datatype_name(call.datatype); }),
    member("op", known, "null: the program's own, or the operation has none.",
           [](const CollectiveCall& call) { return redop_name(call.op); }),
    member("root", known, "Of Send and Recv the peer.", &CollectiveCall::root),
};

/// Returns the bus id of a rank, which may be 0; nullopt if it is not known.
constexpr auto bus_id_of = [](const Rank& rank) { return rank.has_bus_id ? std::optional{rank.bus_id} : std::nullopt; };

template <>
inline constexpr auto members_of<Rank> = std::tuple{
    in_line("rank", "A rank whose log is in the input."),
    member("rank", known, "null: no line tells it.", &Rank::rank),
    member("process", reference, "Index into `processes`.", &Rank::process),
    member("comm", known, "NCCL's pointer.", [](const Rank& rank) { return Hex{rank.comm}; }),
    member("cuda_dev", known, &Rank::cuda_dev),
    member("nvml_dev", known, &Rank::nvml_dev),
    member("bus_id", bus_id, bus_id_of),
    member("local_rank", known, &Rank::local_rank),
    member("node", reference, "Index into the communicator's `nodes`; null when its node cannot be told.", &Rank::node),
    member("state", word<RankState::destroyed>, &Rank::state),
    member("phase", word<InitPhase::complete>, "How far the initialisation is known to have come.", &Rank::phase),
    member("channels", known, "coll channels as this rank printed them.", &Rank::channels),
    member("nvls_head", known, "Which NVLS head it is; null: none, or not told.", &Rank::nvls_head),
    member("connected", bits<Algorithm::collnet_chain>, "What this rank was seen to connect.", &Rank::connected),
    member("bootstrap_seconds", object, &Rank::bootstrap_seconds),
    member("init_seconds", object, &Rank::init_seconds),
    // Unknown values of the next ones are omitted instead of null: few logs have them, and a job may have many ranks.
    sometimes("stamped_seconds", object,
              "By the time stamps of its lines, from `Using network` on; absent without time stamps.",
              &Rank::stamped_seconds),
    sometimes("collectives", known,
              "Collectives that it called, without Send, Recv and empty ones; null when not all its calls are in the "
              "input. Absent, like `last_call`, without COLL lines.",
              [](const Rank& rank) -> std::optional<std::optional<std::uint64_t>> {
                if (!rank.calls) return std::nullopt;
                return rank.calls->from_start ? std::optional{rank.calls->total} : std::optional<std::uint64_t>{};
              }),
    sometimes("last_call", object, "The last call that this rank printed.",
              [](const Rank& rank) { return rank.calls ? &rank.calls->last : nullptr; }),
};

}  // namespace nccl_analyze::members
