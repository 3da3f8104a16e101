// Rows of NCCL's RAS threads, which watch each other's processes (2.24.3+), and of the diagnostics that run in these
// threads and during the initialisation of a communicator (2.31+).

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row ras_rows[] = {
    row<RasPeerDead>("RAS declaring peer {peer} as DEAD; rasDeadPeersHash {:hex}", "2.24.3", "",
                     "RAS declaring peer 10.0.4.52<41234> as DEAD; rasDeadPeersHash 0x5f3a"),
    row<RasTimedOut>(
        "RAS {what:keep-alive timeout error|keep-alive timeout warning|connect timeout warning|connect "
        "retry timeout|send stuck timeout error|termination stuck timeout error} ({seconds}{(.{:int})}s) on socket "
        "connection with {peer}",
        "2.24.3", "", "RAS keep-alive timeout error (20s) on socket connection with 10.0.4.52<41234>"),
    row<RasTimedOut>("RAS {what:peer connect timeout warning} ({seconds}{(.{:int})}s) on socket connection from {peer}",
                     "2.24.3", "", "RAS peer connect timeout warning (5s) on socket connection from 10.0.4.52<41234>"),
    row<RasTimedOut>("RAS {what:init timeout error} ({seconds}{(.{:int})}s) on incoming socket connection from {peer}",
                     "2.24.3", "", "RAS init timeout error (60s) on incoming socket connection from 10.0.4.52<41234>"),
    row<RasTimedOut>(
        "RAS {what:init timeout error} ({seconds}{(.{:int})}s) on socket connection with {peer} (experiencingDelays "
        "{:int}, startRetryTime {:real}s, socket status {:int})",
        "2.24.3", "",
        "RAS init timeout error (60s) on socket connection with 10.0.4.52<41234> (experiencingDelays 1, "
        "startRetryTime 12.00s, socket status 3)"),
    row<RasTimedOut>(
        "RAS {what:collective} {peer}<{:int}>:{:int} timeout error ({seconds}{(.{:int})}s) -- giving up on {missing} "
        "missing responses",
        "2.24.3", "", "RAS collective 10.0.4.52<41234>:3 timeout error (5s) -- giving up on 2 missing responses"),
    row<RasTimedOut>("RAS {what:collective} {peer}<{:int}>:{:int} timeout warning ({seconds}{(.{:int})}s) -- {missing} "
                     "responses missing",
                     "2.24.3", "", "RAS collective 10.0.4.52<41234>:3 timeout warning (5s) -- 2 responses missing"),
    row<RasVersionMismatched>(
        "NCCL version mismatch with remote peer {peer} (local: {local:word}, remote {remote:word})", "2.24.3", "",
        "NCCL version mismatch with remote peer 10.0.4.52<41234> (local: 22703, remote 22606)"),
    // Results of checks that found something (level DIAG).
    row<DiagnosticReported>(
        "[INFO] {check:ECC}: {fault:uncorrected volatile errors} on rank(s) {ranks} (worst={detail}) across {:int} "
        "ranks in comm {comm_id}",
        "2.31.2", "",
        "[INFO] ECC: uncorrected volatile errors on rank(s) {3} (worst=2) across 16 ranks in comm 0xbc42413ad5ab3a45"),
    row<DiagnosticReported>("[INFO] {check:ECC}: {fault:corrected volatile errors at or above threshold} {:int} on "
                            "rank(s) {ranks} (worst={detail}) across {:int} ranks in comm {comm_id}",
                            "2.31.2", "",
                            "[INFO] ECC: corrected volatile errors at or above threshold 100 on rank(s) "
                            "{0,1,2,3,4,5,6,7,...} (N=12) (worst=412) across 16 ranks in comm 0xbc42413ad5ab3a45"),
    row<DiagnosticReported>(
        "[INFO] {check:NVLink}: {fault:inactive link(s)} on rank(s) {ranks} across {:int} ranks in comm {comm_id}",
        "2.31.2", "", "[INFO] NVLink: inactive link(s) on rank(s) {5} across 16 ranks in comm 0xbc42413ad5ab3a45"),
    row<DiagnosticReported>("[INFO] {check:GPU inventory|CUDA driver version|NVLink}: {fault:count mismatch|model "
                            "mismatch|mismatch|link-count mismatch} across {:int} ranks in comm {comm_id}, rank(s) "
                            "{ranks} differ from rank {detail}",
                            "2.31.2", "",
                            "[INFO] CUDA driver version: mismatch across 16 ranks in comm 0xbc42413ad5ab3a45, rank(s) "
                            "{3,5} differ from rank 0 (12.8)"),
    row<DiagnosticReported>(
        "[INFO] {check:NCCL environment}: {fault:mismatch} across {:int} ranks in comm {comm_id} for {detail}",
        "2.31.2", "", "[INFO] NCCL environment: mismatch across 16 ranks in comm 0xbc42413ad5ab3a45 for NCCL_IB_HCA"),
    row<DiagnosticReported>(
        "[INFO] {check:NCCL environment}: {detail} on rank(s) {ranks}", "2.31.2", "",
        "[INFO] NCCL environment: NCCL_IB_HCA=mlx5_0,mlx5_1 on rank(s) {0,1,2,3,4,5,6,7,...} (N=15)"),
    row<DiagnosticReported>(
        "[INFO] {check:p2p}: {fault:write mismatch|read mismatch|destination buffer unavailable|local CUDA setup "
        "failed|peer-memory import failed|topology check failed|launch/check failed} {(srcRank={rank} "
        "srcCudaDev={:int} srcNvmlDev={:int} dstRank={peer} dstCudaDev={:int} dstNvmlDev={:int} )}{detail}",
        "2.31.2", "",
        "[INFO] p2p: write mismatch srcRank=3 srcCudaDev=3 srcNvmlDev=3 dstRank=5 dstCudaDev=5 dstNvmlDev=5 path=NVL "
        "handle=direct expected=0x5a00000300000005 got=0x0000000000000000 verify=0x0000000000000000; inspect NVLink "
        "health\n[INFO] p2p: write mismatch ? expected=0x5a00000300000005 got=0x0000000000000000 "
        "verify=0x0000000000000000; inspect NVLink health"),
    row<DiagnosticReported>("[INFO] {check:p2p}: {fault:setup failed} on rank {rank} result={detail}", "2.31.2", "",
                            "[INFO] p2p: setup failed on rank 3 result=1"),
    row<DiagnosticReported>(
        "[INFO] {check:net bw}: {fault:same-nic|cross-nic} rank {rank} ({host}): {detail} in comm {comm_id}", "", "",
        "[INFO] net bw: same-nic rank 7 (gpu-b03): 120.0 Gbit/s, >30% off median 380.0 Gbit/s in comm "
        "0xbc42413ad5ab3a45"),
    row<DiagnosticReported>("[INFO] {check:Xid|SXid} {fault:word} detected {detail} on host {host}. {:text}", "", "",
                            "[INFO] Xid 79 detected 1 time on host gpu-b03. For the recommended response, see the "
                            "NVIDIA Xid documentation: https://docs.nvidia.com/deploy/xid-errors/"),
};

}  // namespace

const Family ras_family{"ras", ras_rows};

}  // namespace nccl_analyze
