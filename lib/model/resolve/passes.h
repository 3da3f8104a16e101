#pragma once
// The passes of resolve(), in the order of their execution, which resolve.cc explains.

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// Marks the calls of a process as incomplete if its log is split over several sources, because no source has all of
/// them. The sign of a split log is a collective on a communicator whose initialisation is not in the source.
void mark_calls_of_split_logs(BuilderState& state);

/// Removes UnnamedCalls of communicators whose initialisation is in another source, in the log of the same process.
void drop_known_calls(BuilderState& state);

/// Moves lines with a garbled host name to the processes that printed them.
void resolve_host_aliases(BuilderState& state);

/// Gives each host whose name lost its first letters the name of a host with the same suffix.
void rename_headless_hosts(BuilderState& state);

/// Sets BuilderState::naming if all known versions identify GPUs in the same way.
void find_device_naming(BuilderState& state);

/// Joins the ranks of communicators whose ranks could not be joined while the log was read.
void join_communicators(BuilderState& state);

/// Sorts the batches by line.
void sort_batches(BuilderState& state);

/// Attributes every batch to a communicator, to an inferred communicator, or to an Ambiguity.
void attribute_batches(BuilderState& state);

/// Removes communicators that were merged into others.
void drop_joined_communicators(BuilderState& state);

/// Applies version lines without a prefix to the processes of their source that print no version, unless these lines
/// differ. A source without processes gets a process that has the version.
void apply_bare_versions(BuilderState& state);

/// Fills Model::versions.
void count_versions(BuilderState& state);

/// Builds rings and trees, and moves the finished communicators into the model.
void build_graphs(BuilderState& state);

/// Moves quotes, incidents and samples into the model.
void move_quotes(BuilderState& state);

/// Sorts the tables of the model and updates the indices that refer to them.
void put_in_order(Model& model);

/// Sets Process::ended_in_order of every process that destroyed a communicator.
void find_orderly_ends(Model& model);

/// Marks the only rank of a process as failed if an error trace precedes the rank's first line. Requires
/// put_in_order().
void find_failed_ranks(Model& model);

/// Finds the processes and the communicator of each benchmark.
void join_benchmarks(Model& model);

/// Finds the hosts of each pod. Requires assign_hosts().
void join_pods(Model& model);

/// Finds the communicators, ranks and processes of RAS reports and of records of the NCCL Inspector.
void join_recordings(Model& model);

/// Removes the lines of programs and documents from incidents and watchdog timeouts, if the input also has logs.
/// Incidents and timeouts that have no other lines are removed.
void drop_program_texts(Model& model);

/// Assigns GPU faults that the kernel reports to the processes that use the GPUs.
void join_gpu_faults(Model& model);

/// Assigns the ends of processes that Open MPI reports, by host and pid.
void join_ended_processes(Model& model);

/// Completes incidents with facts from their text and from the lines after them. Requires put_in_order().
void resolve_incidents(Model& model);

/// Sets Process::inferred_version of processes that print no version. Requires put_in_order().
void infer_versions(Model& model);

/// Sets Process::has_other_ranks. Warnings and error traces of a GPU that no known rank of the process uses lose their
/// rank and communicator.
void find_other_ranks(Model& model);

/// Assigns a host to every process. Hosts without a process are removed; hosts without topology lines are added.
void assign_hosts(BuilderState& state);

/// Adds the GPUs of ranks to the GPUs of topology dumps.
void add_gpus(Model& model);

/// Adds the NICs in printed lists to the NICs that were printed one per line.
void add_nics(Model& model);

/// Finds which NICs each GPU uses, and sorts the NICs.
void assign_nics(Model& model);

/// Counts the ends of network connections of each host, and those that use GPUDirect RDMA. Hosts with connections over
/// multi-node NVLink are marked as having NVLink.
void count_network_ends(Model& model);

/// Marks a host whose NVLink is still unknown as having NVLink if lines of an incomplete topology dump or the graph
/// search show it. For a host with several GPUs and no complete dump, the graph search also gives the worst path
/// between its GPUs.
void find_nvlink(Model& model);

/// Computes the paths of topology files, and finds the host of each machine and the host's GPU for each GPU of the
/// machine.
void join_machines(Model& model);

/// Assigns the ranks of each communicator to nodes if the log shows which ranks share a node.
void place_nodes(Model& model);

}  // namespace nccl_analyze::builder
