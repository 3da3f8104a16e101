// Rows of the versions of NCCL, CUDA and the driver.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row version_rows[] = {
    row<VersionPrinted>("{library:NCCL|RCCL} version {version:word}+cuda{toolkit:word}", "2.4.2", "",
                        "NCCL version 2.27.3+cuda12.9"),
    row<VersionPrinted>("{library:NCCL|RCCL} version {version:word}+hip{toolkit:word}{( {:text})}", "2.4.2", "",
                        "RCCL version 2.20.5+hip6.2\nRCCL version 2.18.3+hip5.5 develop:6ecf771+"),
    row<VersionPrinted>("{library:NCCL|RCCL} version : {version:word}", "", "", "RCCL version : 2.21.5-5d1b0e8"),
    // Formats in which PyTorch's exceptions, NCCL's RAS client and vLLM print the version.
    row<VersionPrinted>("{library:NCCL|RCCL} version {version:word}", "", "", "NCCL version 2.20.5"),
    row<VersionPrinted>("{library:NCCL|RCCL} version {version:word} compiled with CUDA {toolkit:word}", "2.24.3", "",
                        "NCCL version 2.26.2 compiled with CUDA 12.6"),
    row<VersionPrinted>("nccl=={version:word}", "", "", "nccl==2.20.5"),
    row<DriverVersionPrinted>("cudaDriverVersion {driver}", "2.13.4", "", "cudaDriverVersion 13000"),
    row<VersionMismatched>("Mismatched NCCL version detected : rank {rank} version {version} rank {other_rank} version "
                           "{other_version}",
                           "2.23.4", "",
                           "Mismatched NCCL version detected : rank 0 version 22703 rank 1 version 22606"),
};

}  // namespace

const Family version_family{"version", version_rows};

}  // namespace nccl_analyze
