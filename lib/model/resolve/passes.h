#pragma once
// The passes that resolve() runs, in its order. What each needs and leaves stands in resolve.cc.

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// A process that prints calls of a communicator that its log does not name may be a part of another process's log:
/// then the calls in either are not all.
void distrust_parted_logs(BuilderState& state);

/// Drops unnamed calls of a communicator that another part of the process's log names.
void drop_known_calls(BuilderState& state);

/// Gives the lines of garbled hosts to the processes that they are of.
void resolve_host_aliases(BuilderState& state);

/// Gives hosts without their first letters the name of a host that ends alike.
void rename_headless_hosts(BuilderState& state);

/// What all processes that print their version print of a GPU.
void find_device_naming(BuilderState& state);

/// Joins what belongs to one communicator though no start joined it when it was read.
void join_communicators(BuilderState& state);

/// Puts batches in the order of their lines.
void sort_batches(BuilderState& state);

/// Gives every waiting batch to its communicator, to an Ambiguity, or to an inferred communicator.
void attribute_batches(BuilderState& state);

/// Removes communicators that another has taken over.
void drop_joined_communicators(BuilderState& state);

/// Applies version lines without a prefix: a source that has no process gets one, and processes that print no version
/// have the version of that line.
void apply_bare_versions(BuilderState& state);

/// Fills Model::versions.
void count_versions(BuilderState& state);

/// Builds rings and trees, and moves the finished communicators into the model.
void build_graphs(BuilderState& state);

/// Moves quotes, incidents and samples into the model.
void move_quotes(BuilderState& state);

/// Sorts everything in the model and renumbers what refers to it.
void put_in_order(Model& model);

/// Sets Process::ended_in_order of every process that destroyed a communicator.
void find_orderly_ends(Model& model);

/// Fills in what the words of each incident hold and what became of it; the model is in order.
void resolve_incidents(Model& model);

/// Gives every process its host. Hosts without a process are removed, and hosts of which nothing was printed are added.
void assign_hosts(BuilderState& state);

/// Adds the GPUs of ranks to those of the topology dumps.
void add_gpus(Model& model);

/// Adds the NICs of the lists that processes print to the single NICs that lines describe.
void add_nics(Model& model);

/// Finds which NICs each GPU uses, and sorts the NICs.
void assign_nics(Model& model);

/// Counts the ends of network connections of each host and those that use GPUDirect RDMA; connections of multi-node
/// NVLink show that the host has NVLink.
void count_network_ends(Model& model);

/// What lines of a topology dump that is not whole, and the ring search, show of NVLink.
void find_nvlink(Model& model);

/// Joins the ranks of each communicator into nodes, as far as the log shows them.
void place_nodes(Model& model);

}  // namespace nccl_analyze::builder
