// What processes tell of their host: the topology dump and the NICs.

#include "model/build/builder.h"

namespace nccl_analyze::draft {

Index Folding::find_host() {
  const HostNames names{facts().host, facts().pod, facts().container};
  process_->host = host_table_.find_or_add(names);
  if (static_cast<std::size_t>(process_->host) == job_.hosts.size()) {
    Host& made = job_.hosts.emplace_back().host;
    made.name = names.name;
    made.pod = names.pod;
    made.container = names.container;
  }
  return process_->host;
}

TopologyReader* Folding::reader() {
  HostDraft& here = host();
  return here.process == process_number_ && here.tid == record_->origin.tid ? &here.reader : nullptr;
}

void Folding::end_dump() {
  if (reader() == nullptr) return;
  host().reader = {};
  host().process = -1;
}

void Folding::note_nic(const HostNic& told) {
  if (!merge_nic(host().host, told)) dropped_ += record_->times;
}

void Folding::apply(const SystemPrinted&) {
  HostDraft& here = host();
  const bool read_elsewhere = here.process >= 0 && reader() == nullptr;
  if (here.host.topology_at.line != 0 || read_elsewhere) return;
  here.process = process_number_;
  here.tid = record_->origin.tid;
  const Rank* const rank = rank_in_init();
  here.reader.start(record_->at, rank == nullptr ? -1 : rank->rank);
}

void Folding::apply(const TopologyNodePrinted& event) {
  if (event.link == "NVL") facts().nvlink = true;
  if (TopologyReader* const dump = reader()) dump->add(event);
}

void Folding::apply(const PathsPrinted& event) {
  TopologyReader* const dump = reader();
  if (dump == nullptr) return;
  dump->add(event);
  if (dump->whole()) dump->put_into(host().host, device_list_of(facts().network));
  if (dump->whole() || dump->broken()) end_dump();
}

void Folding::apply(const GraphSearched& event) {
  if (event.pattern == 4 && facts().worst_path != event.type_intra) {
    facts().worst_path = shared(event.type_intra);
    facts().worst_path_at = quoted();
  }
  end_dump();
}

void Folding::apply(const NicReported& event) {
  HostNic nic;
  nic.network = "IB";
  nic.name = std::string(event.device);
  nic.port = event.port;
  nic.link = std::string(event.link);
  nic.speed = event.speed;
  note_nic(nic);
}

void Folding::apply(const VirtualNicMade& event) {
  HostNic nic;
  nic.network = "IB";
  nic.index = event.index;
  nic.name = std::string(event.device);
  nic.speed = event.speed;
  note_nic(nic);
}

void Folding::apply(const NicGdrReported& event) {
  const bool able = event.state == "Enabled" || event.state == "enabled";
  HostNic nic;
  nic.network = std::string(device_list_of(event.network));
  nic.index = event.device;
  nic.name = std::string(event.nic);
  nic.gdr = able ? 1 : 0;
  note_nic(nic);
  if (Rank* const rank = rank_in_init()) reach(*rank, InitPhase::allgather);  // what a rank tells the others
  if (event.network == "Socket") return;
  if (able)
    facts().gdr_reasons.made().able_nics += record_->times;
  else
    note(facts().gdr_reasons.made().unable_nics);
}

}  // namespace nccl_analyze::draft
