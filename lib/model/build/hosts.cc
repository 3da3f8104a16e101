#include "model/build/hosts.h"

#include "model/build/ranks.h"

namespace nccl_analyze::builder {

Index Hosts::find_host(Context& context) {
  const HostNames names{context.facts->host, context.facts->pod, context.facts->container};
  context.process->host = table_.find_or_add(names);
  if (static_cast<std::size_t>(context.process->host) == context.state.hosts.size()) {
    Host& made = context.state.hosts.emplace_back().host;
    made.name = names.name;
    made.pod = names.pod;
    made.container = names.container;
  }
  return context.process->host;
}

TopologyReader* Hosts::reader(Context& context) {
  HostState& here = host(context);
  return here.process == context.process_number && here.tid == context.record->origin.tid ? &here.reader : nullptr;
}

void Hosts::end_dump(Context& context) {
  if (reader(context) == nullptr) return;
  host(context).reader = {};
  host(context).process = -1;
}

void Hosts::add_nic(Context& context, const HostNic& nic) {
  if (!merge_nic(host(context).host, nic)) context.drop();
}

void Hosts::apply(Context& context, const SystemPrinted&) {
  HostState& here = host(context);
  const bool read_elsewhere = here.process >= 0 && reader(context) == nullptr;
  if (here.host.topology_at.line != 0 || read_elsewhere) return;
  here.process = context.process_number;
  here.tid = context.record->origin.tid;
  const Rank* const rank = rank_in_init(context);
  here.reader.start(context.quote(), rank == nullptr ? -1 : rank->rank);
}

void Hosts::apply(Context& context, const TopologyNodePrinted& event) {
  if (event.link == "NVL") context.facts->nvlink = true;
  if (TopologyReader* const dump = reader(context)) dump->add(event);
}

void Hosts::apply(Context& context, const PathsPrinted& event) {
  TopologyReader* const dump = reader(context);
  if (dump == nullptr) return;
  dump->add(event);
  if (dump->whole()) dump->put_into(host(context).host, device_list_of(context.facts->network));
  if (dump->whole() || dump->broken()) end_dump(context);
}

void Hosts::apply(Context& context, const GraphSearched& event) {
  if (event.pattern == 4 && context.facts->worst_path != event.type_intra) {
    context.facts->worst_path = context.shared(event.type_intra);
    context.facts->worst_path_at = context.quote();
  }
  end_dump(context);
}

void Hosts::apply(Context& context, const NicReported& event) {
  HostNic nic;
  nic.network = "IB";
  nic.name = std::string(event.device);
  nic.port = event.port;
  nic.link = std::string(event.link);
  nic.speed = event.speed;
  add_nic(context, nic);
}

void Hosts::apply(Context& context, const VirtualNicMade& event) {
  HostNic nic;
  nic.network = "IB";
  nic.index = event.index;
  nic.name = std::string(event.device);
  nic.speed = event.speed;
  add_nic(context, nic);
}

void Hosts::apply(Context& context, const NicGdrReported& event) {
  const bool able = event.state == "Enabled" || event.state == "enabled";
  HostNic nic;
  nic.network = std::string(device_list_of(event.network));
  nic.index = event.device;
  nic.name = std::string(event.nic);
  nic.gdr = able ? 1 : 0;
  add_nic(context, nic);
  // Since 2.13 NCCL prints this while it detects the topology, after the first exchange between ranks. Lines with a
  // reason come from older releases, which ask the NICs earlier, and from plugins.
  if (Rank* const rank = rank_in_init(context))
    reach(*rank, event.reason.empty() ? InitPhase::topology : InitPhase::allgather);
  if (event.network == "Socket") return;
  if (able)
    context.facts->gdr_reasons.made().able_nics += context.record->times;
  else
    context.add_to(context.facts->gdr_reasons.made().unable_nics);
}

}  // namespace nccl_analyze::builder
