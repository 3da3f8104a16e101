#pragma once
/// What a topology dump says of NVLink between the GPUs of a host.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// `16 GB/s`; `?` for what is no number.
std::string gigabytes(double bandwidth);
/// In hexadecimal, as NCCL prints it.
std::string bus_id_text(std::uint64_t id);
/// The processes that run on the host with this index.
std::vector<Index> processes_on(const Model& model, std::size_t host);
/// `GPU 17000 sends 20 GB/s and receives 240 GB/s`, for each GPU whose direct links are not equally fast both ways, as
/// all of them are; empty when there is none, or no dump.
std::string uneven_links(const Host& host);

}  // namespace nccl_analyze
