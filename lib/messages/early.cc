// Wordings of NCCL before 2.4, whose source is not public: from posted logs.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row rows[] = {
    row<BootstrapInterfaceChosen>("NET : Using interface {interface:word}:{address}", "", "2.3.7",
                                  "NET : Using interface ib0:12.12.12.102<0>"),
    row<Noted>("NET/IB : Using interface {:word} for sideband communication", "", "2.3.7",
               "NET/IB : Using interface ib0 for sideband communication"),
    row<NetworkChosen>("Using internal Network {network}", "", "2.4.8", "Using internal Network Socket"),
    row<Noted>("NET/Socket : {:int} interfaces found", "", "2.3.7", "NET/Socket : 1 interfaces found"),
    row<Noted>("rank {:int} nranks {:int}", "", "2.3.7", "rank 0 nranks 8"),
    row<Noted>("comm {:hex} rank {:int} nranks {:int}", "", "2.3.7", "comm 0x7f132405ad20 rank 1 nranks 8"),
    row<Noted>("CUDA Dev {:int}[{:int}], {:text} NIC distance : {:text}", "", "2.4.8",
               "CUDA Dev 1[1], AWS Libfabric NIC distance :  SYS"),
};

}  // namespace

const Family early_family{"early", rows};

}  // namespace nccl_analyze
