// Versions of the library, the toolkit and the driver.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row rows[] = {
    row<VersionPrinted>("{library:NCCL|RCCL} version {version:word}+cuda{toolkit:word}", "2.4.2", "",
                        "NCCL version 2.27.3+cuda12.9"),
    row<VersionPrinted>("{library:RCCL|NCCL} version {version:word}+hip{toolkit:word}", "2.4.2", "",
                        "RCCL version 2.20.5+hip6.2"),
    row<DriverVersionPrinted>("cudaDriverVersion {driver}", "2.13.4", "", "cudaDriverVersion 13000"),
    row<VersionMismatched>("Mismatched NCCL version detected : rank {rank} version {version} rank {other_rank} version "
                           "{other_version}",
                           "2.23.4", "",
                           "Mismatched NCCL version detected : rank 0 version 22703 rank 1 version 22606"),
};

}  // namespace

const Family version_family{"version", rows};

}  // namespace nccl_analyze
