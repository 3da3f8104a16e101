#pragma once
// Declares the families of rows. Each family is defined in a file of facts/ and listed in fact_families.cc, except for
// known_family, which the build generates from known_formats.tsv (write_row_tree.cc).

#include "messages/row.h"

namespace nccl_analyze {

extern const Family bootstrap_family;
extern const Family version_family;
extern const Family environment_family;
extern const Family plugin_family;
extern const Family network_family;
extern const Family ib_family;
extern const Family ras_family;
extern const Family ofi_family;
extern const Family communicator_family;
extern const Family graph_family;
extern const Family external_family;
extern const Family transport_family;
extern const Family topology_family;
extern const Family collective_family;
extern const Family fault_family;
extern const Family known_family;

}  // namespace nccl_analyze
