#pragma once
/// What the report shows of processes and their plugins.

#include <map>
#include <optional>
#include <string>

#include "queries/members/context.h"
#include "queries/members/line.h"
#include "queries/members/member.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<Plugin> = std::tuple{
    in_line("plugin"),
    member("kind", plain, "net, collnet, tuner, profiler, gin, rma", &Plugin::kind),
    member("name", known, &Plugin::name),
    member("api", known, &Plugin::api),
    member("library", known, &Plugin::library),
    member("version", known, &Plugin::version),
    member("requested", plain, "Named by the environment.", &Plugin::requested),
    member("status", word<PluginStatus::failed>, &Plugin::status),
    member("reason", known, &Plugin::reason),
};

template <>
inline constexpr auto members_of<InferredVersion> = std::tuple{
    in_line("version_inferred"),
    member("library", OneOf{"NCCL|RCCL"}, &InferredVersion::library),
    member("versions", Array<Plain>{{}, Layout::line, 1}, "The releases that fit equally well, lowest first.",
           &InferredVersion::versions),
    member("places", at_least(3), "Distinct places that were looked up.", &InferredVersion::places),
    member("matched", at_least(3), "Those that these releases have.",
           [](const InferredVersion& one) { return one.matched.count; }),
    member(
        "lines", objects, "The first lines that name a matching place.",
        [](const InferredVersion& one) -> auto& { return one.matched.lines; }),
};

template <>
inline constexpr auto members_of<BufferWays> = std::tuple{
    in_line("buffers"),
    member("registered", bits<BufferWay::ipc>, &BufferWays::registered),
    member("refused", bits<BufferWay::ipc>, &BufferWays::refused),
};

template <>
inline constexpr auto members_of<Process> = std::tuple{
    in_block("process"),
    member("index", plain,
           [](const Process& one, const Context& context) { return index_in(context.model.processes, one); }),
    member("host", known, &Process::host),
    member("place", reference, "Index into `hosts`.", &Process::host_index),
    member("pid", known, &Process::pid),
    member("pod", known, &Process::pod),
    member("container", known, &Process::container),
    member("library", known, "NCCL or RCCL.", &Process::library),
    member("version", known, &Process::version),
    sometimes("version_inferred", object,
              "Only where `version` is null and the places in NCCL's source that the log names fit one minor release. "
              "Likely, not proven.",
              &Process::inferred_version),
    member("cuda", known, "CUDA version that the library was built with.", &Process::toolkit),
    member(
        "driver", Known{0, "^[0-9]+$"}, "1000 * major + 10 * minor.",
        [](const Process& one) { return one.driver < 0 ? std::nullopt : std::optional{std::to_string(one.driver)}; }),
    group("bootstrap", Layout::block, "",
          std::tuple{
              member("interface", known, &Process::bootstrap_interface),
              member("address", known, &Process::bootstrap_address),
          }),
    member("network", known, "As NCCL says: Using network ...", &Process::network),
    member("platform", known, "Instance type that a plugin reported.", &Process::platform),
    member("plugins", objects, &Process::plugins),
    sometimes("buffers", object,
              "Only where NCCL_DEBUG_SUBSYS=REG shows it: the ways out of the GPU for which NCCL registered "
              "buffers of the "
              "user, and for which it refused some.",
              [](const Process& one) { return one.buffers == BufferWays{} ? nullptr : &one.buffers; }),
    member("env", Written<Map<Plain>, std::map<std::string, std::string>>{},
           "Settings as the process printed them, sorted by name.",
           [](JsonWriter& json, const Process& one, const Context&) {
             json.begin_object();
             for (const auto& [variable, setting] : one.env) {
               json.key_from_log(variable);
               json.value(setting.value);
             }
             json.end();
           }),
};

}  // namespace nccl_analyze::members
