// Rows of NCCL's RAS threads, which watch each other's processes (2.24.3+).

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row ras_rows[] = {
    row<RasPeerDead>("RAS declaring peer {peer} as DEAD; rasDeadPeersHash {:hex}", "2.24.3", "",
                     "RAS declaring peer 10.0.4.52<41234> as DEAD; rasDeadPeersHash 0x5f3a"),
    row<RasTimedOut>("RAS {what:keep-alive timeout error|keep-alive timeout warning|connect timeout warning|connect "
                     "retry timeout|send stuck timeout error|termination stuck timeout error} ({seconds}s) on socket "
                     "connection with {peer}",
                     "2.24.3", "", "RAS keep-alive timeout error (20s) on socket connection with 10.0.4.52<41234>"),
    row<RasTimedOut>("RAS {what:peer connect timeout warning} ({seconds}s) on socket connection from {peer}", "2.24.3",
                     "", "RAS peer connect timeout warning (5s) on socket connection from 10.0.4.52<41234>"),
    row<RasTimedOut>("RAS {what:init timeout error} ({seconds}s) on incoming socket connection from {peer}", "2.24.3",
                     "", "RAS init timeout error (60s) on incoming socket connection from 10.0.4.52<41234>"),
    row<RasTimedOut>("RAS {what:init timeout error} ({seconds}s) on socket connection with {peer} (experiencingDelays "
                     "{:int}, startRetryTime {:real}s, socket status {:int})",
                     "2.24.3", "",
                     "RAS init timeout error (60s) on socket connection with 10.0.4.52<41234> (experiencingDelays 1, "
                     "startRetryTime 12.00s, socket status 3)"),
    row<RasTimedOut>("RAS {what:collective} {peer}<{:int}>:{:int} timeout error ({seconds}s) -- giving up on {missing} "
                     "missing responses",
                     "2.24.3", "",
                     "RAS collective 10.0.4.52<41234>:3 timeout error (5s) -- giving up on 2 missing responses"),
    row<RasTimedOut>(
        "RAS {what:collective} {peer}<{:int}>:{:int} timeout warning ({seconds}s) -- {missing} responses missing",
        "2.24.3", "", "RAS collective 10.0.4.52<41234>:3 timeout warning (5s) -- 2 responses missing"),
    row<RasVersionMismatched>(
        "NCCL version mismatch with remote peer {peer} (local: {local:word}, remote {remote:word})", "2.24.3", "",
        "NCCL version mismatch with remote peer 10.0.4.52<41234> (local: 22703, remote 22606)"),
};

}  // namespace

const Family ras_family{"ras", ras_rows};

}  // namespace nccl_analyze
