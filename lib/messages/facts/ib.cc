// Rows of faults of InfiniBand and RoCE: completions, asynchronous events, libibverbs calls, and network messages whose
// two ends disagree on their size. NCCL and the SHARP plugin print the same messages.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row ib_rows[] = {
    row<IbCompletionFailed>(
        "NET/IB : Got completion{( from peer {peer})} with error {status}, opcode {opcode}, len {length}, vendor err "
        "{vendor_error}{( ({request:word}))}{( localGid {local_gid:word} remoteGid{:s|}{: |}{remote_gid:word})}",
        "2.4.2", "2.19.4",
        "NET/IB : Got completion with error 12, opcode 1, len 0, vendor err 129\nNET/IB : Got completion from peer "
        "node-48<37948> with error 12, opcode 2, len 1, vendor err 129\nNET/IB : Got completion from peer "
        "10.0.35.1<49189> with error 4, opcode 5327, len 5327, vendor err 81 (Send)\nNET/IB : Got completion from peer "
        "10.0.35.1<49189> with error 4, opcode 5327, len 5327, vendor err 81 (Send) localGid ::ffff:10.7.0.1 remoteGid "
        "::ffff:10.7.0.2"),
    row<IbCompletionFailed>(
        "NET/IB{:/GIN|}{: |}: Got completion from peer {peer} with status={status} opcode={opcode} len={length} vendor "
        "err {vendor_error} ({request:word}){( localGid {local_gid:word} remoteGid{:s|}{: |}{remote_gid:word})}{( hca "
        "{hca})}",
        "2.20.3", "",
        "NET/IB : Got completion from peer 10.0.35.1<49189> with status=12 opcode=0 len=0 vendor err 129 "
        "(Send)\nNET/IB : Got completion from peer 10.0.35.1<49189> with status=12 opcode=0 len=0 vendor err 129 "
        "(Send) localGid ::ffff:10.7.0.1 remoteGid ::ffff:10.7.0.2\nNET/IB: Got completion from peer 10.0.35.1<49189> "
        "with status=12 opcode=0 len=0 vendor err 129 (Send) hca mlx5_0\nNET/IB/GIN: Got completion from peer "
        "10.0.35.1<49189> with status=12 opcode=0 len=0 vendor err 129 (Send) hca mlx5_0\nNET/IB: Got completion from "
        "peer 10.0.35.1<49189> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid ::ffff:10.7.0.1 "
        "remoteGids::ffff:10.7.0.2 hca mlx5_0\nNET/IB/GIN: Got completion from peer 10.0.35.1<49189> with status=12 "
        "opcode=0 len=0 vendor err 129 (Send) localGid ::ffff:10.7.0.1 remoteGids::ffff:10.7.0.2 hca mlx5_0"),
    row<IbCompletionFailed>(
        "NET/IB: Got completion from peer {peer} with status={status_name:word}({status}) "
        "opcode={opcode_name:word}({opcode}) reqSize={length} vendor_err={vendor_error} req_type={request:word}{( "
        "localGid {local_gid:word} remoteGid{:s|}{: |}{remote_gid:word})} hca {hca}",
        "2.28.7", "2.28.9",
        "NET/IB: Got completion from peer 10.0.35.1<49189> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) "
        "reqSize=0 vendor_err=129 req_type=Send hca mlx5_0\nNET/IB: Got completion from peer 10.0.35.1<49189> with "
        "status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) reqSize=0 vendor_err=129 req_type=Send localGid "
        "::ffff:10.7.0.1 remoteGids::ffff:10.7.0.2 hca mlx5_0"),
    row<IbCompletionFailed>("NET/IB: Got completion from peer {peer} with status={status_name:word}({status}) "
                            "opcode={opcode_name:word}({opcode}) vendor_err={vendor_error} {( localGid "
                            "{local_gid:word} remoteGid{:s|}{: |}{remote_gid:word})} hca {hca}",
                            "2.29.2", "",
                            "NET/IB: Got completion from peer 10.0.35.1<49189> with status=IBV_WC_RETRY_EXC_ERR(12) "
                            "opcode=IBV_WC_SEND(0) vendor_err=129  hca mlx5_0\nNET/IB: Got completion from peer "
                            "10.0.35.1<49189> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) "
                            "vendor_err=129  localGid ::ffff:10.7.0.1 remoteGids::ffff:10.7.0.2 hca mlx5_0"),
    row<IbCompletionFailed>(
        "NET/IB: {:text}: Got completion with error (devIndex={:int}, wc->status=({status_name:word}){status}, "
        "wc->opcode=({opcode_name:word}){opcode}, wc->wr_id={:int}, wc->qp_num={:int}, wc->byte_len={length})",
        "2.29.7", "",
        "NET/IB: ncclIbCompletionEventProcess: Got completion with error (devIndex=0, "
        "wc->status=(IBV_WC_RETRY_EXC_ERR)12, wc->opcode=(IBV_WC_SEND)0, wc->wr_id=3, wc->qp_num=3, wc->byte_len=0)"),
    row<IbCompletionFailed>(
        "NET/IB: {:text}: Work completion error on recovery CQ {:hex}: status={status_name:word}({status})", "2.30.3",
        "",
        "NET/IB: ncclIbPortRecoveryProgress: Work completion error on recovery CQ 0x7f1e: "
        "status=IBV_WC_WR_FLUSH_ERR(5)"),
    // The same completions, shortened by the person who posted the log. The status is enough to identify the fault.
    row<IbCompletionFailed>("NET/IB : Got completion from peer {peer} with error {status}, {:text}", "2.10.3", "2.19.4",
                            "NET/IB : Got completion from peer node-48<37948> with error 12, opcode 2, len 1, ven"),
    row<IbCompletionFailed>("NET/IB{: |}: Got completion from peer {peer} with status={status} {:text}", "2.20.3",
                            "2.28.3",
                            "NET/IB : Got completion from peer node-48<37948> with status=12 opcode=0 len\nNET/IB: Got "
                            "completion from peer node-48<37948> with status=12 opcode=0 len"),
    row<IbCompletionFailed>("NET/IB: Got completion from peer {peer} with status={status_name:word}({status}) {:text}",
                            "2.28.7", "",
                            "NET/IB: Got completion from peer node-48<37948> with status=IBV_WC_RETRY_EXC_ERR(12) "
                            "opcode=IBV_WC_SEND(0) vendor_"),
    row<IbAsyncEvent>("NET/IB : {({device:word}:{port} )}{severity:Got async event} : {what}", "2.4.2", "2.22.3",
                      "NET/IB : Got async event : port error\nNET/IB : mlx5_0:1 Got async event : port error"),
    row<IbAsyncEvent>("NET/IB : {device:word}:{port} {severity:Got async error event|async fatal event}: {what}",
                      "2.23.4", "", "NET/IB : mlx5_0:1 async fatal event: device fatal"),
    row<IbAsyncEvent>("NET/IB : {device:word}:{port} {severity:async fatal event} on {object:QP|CQ} ({:hex}){( "
                      "qpn={:int})}{( handle={:int})}{( send_cq={:int} recv_cq={:int} state={:int} sq_psn={:int} "
                      "rq_psn={:int})}{( cqe={:int})}: {what}",
                      "2.23.4", "",
                      "NET/IB : mlx5_0:1 async fatal event on QP (0x7f1e4c0): local access violation work queue "
                      "error\nNET/IB : mlx5_0:1 async fatal event on QP (0x7f1e4c0) qpn=291 handle=3 send_cq=1 "
                      "recv_cq=1 state=6 sq_psn=0 rq_psn=0: local work queue catastrophic error\nNET/IB : mlx5_0:1 "
                      "async fatal event on CQ (0x7f1e4c0) handle=3 cqe=256: CQ error"),
    row<IbAsyncEvent>(
        "NET/IB : {device:word}:{port} {severity:async fatal event} on {object:SRQ}, unused for now ({:hex}): {what}",
        "2.23.4", "", "NET/IB : mlx5_0:1 async fatal event on SRQ, unused for now (0x7f1e4c0): SRQ catastrophic error"),
    row<IbAsyncEvent>("NET/IB : {device:word}:{port} {severity:Got non-fatal async event}: {what}({code})", "2.28.7",
                      "", "NET/IB : mlx5_0:1 Got non-fatal async event: port error(10)"),
    row<IbAsyncEvent>("NET/IB : {device:word}:{port} {what:GID table changed}", "2.28.3", "",
                      "NET/IB : mlx5_0:1 GID table changed"),
    row<IbAsyncEvent>("NET/IB : {device:word}:{port} {what:unknown event type} ({code})", "2.23.4", "",
                      "NET/IB : mlx5_0:1 unknown event type (21)"),
    row<CallFailed>(
        "Call to {call:ibv_modify_qp} failed with {code} {reason}{(, on dev {device:word}:{port}, curr state {state}, "
        "next state {next_state}, local GID index {gid_index}, local GID {local_gid:word}, remote GID "
        "{remote_gid:word})}{(, retrying {attempt}/{attempts} after {:int} msec of sleep)}",
        "2.24.3", "",
        "Call to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_0:1, curr state INIT, next state RTR, "
        "local GID index 3, local GID ::ffff:10.7.0.1, remote GID ::ffff:10.7.0.2, retrying 1/34 after 100 msec of "
        "sleep\nCall to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_0:1, curr state INIT, next "
        "state RTR, local GID index 3, local GID ::ffff:10.7.0.1, remote GID ::ffff:10.7.0.2\nCall to ibv_modify_qp "
        "failed with 22 Invalid argument"),
    row<CallFailed>("{(NET/MLX5: )}Call to {call:word} failed with error {reason}{( errno {code})}", "2.4.2", "",
                    "Call to ibv_modify_qp failed with error No route to host errno 113\nNET/MLX5: Call to "
                    "mlx5dv_internal_get_data_direct_sysfs_path failed with error No such device errno 19\nCall to "
                    "ibv_create_cq failed with error Cannot allocate memory\nNET/MLX5: Call to mlx5dv_reg_dmabuf_mr "
                    "failed with error Invalid argument"),
    row<CallFailed>("Call to {call:word} failed", "2.4.2", "", "Call to ibv_get_async_event failed"),
    row<CallFailed>("Call to {call:word} failed{: |}: {reason}", "2.4.2", "",
                    "Call to poll failed : Invalid argument\nCall to poll failed: Invalid argument"),
    row<CallFailed>("Call to {call:ibv_poll_cq}() returned {code}", "2.4.2", "", "Call to ibv_poll_cq() returned -1"),
    row<CallFailed>("{call:ibv_post_send}() failed with error {reason}{(, Bad WR {:hex}, First WR {:hex})}", "2.4.2",
                    "",
                    "ibv_post_send() failed with error Cannot allocate memory, Bad WR 0x7f1e, First WR "
                    "0x7f1e\nibv_post_send() failed with error Cannot allocate memory"),
    row<CallFailed>("{call:ibv_post_recv}() failed with error {reason}", "2.4.2", "",
                    "ibv_post_recv() failed with error Cannot allocate memory"),
    row<IbDeviceUnusable>("NET/IB : Unable to {operation:open device|query device} {device}", "2.4.2", "",
                          "NET/IB : Unable to open device mlx5_0"),
    row<IbDeviceUnusable>("NET/IB : Unable to {operation:query port}{:_num|} {port}", "2.4.2", "",
                          "NET/IB : Unable to query port_num 1"),
    row<IbDevicesIncompatible>(
        "NET/IB : Attempted to {:connect|merge} incompatible devices: [{:int}]{local:word}:{:int}/{local_link:word} "
        "and [{:int}]{remote:word}:{:int}/{remote_link:word}. Try selecting NICs of only one link type using "
        "NCCL_IB_HCA",
        "2.26.2", "",
        "NET/IB : Attempted to connect incompatible devices: [0]mlx5_0:1/IB and [0]mlx5_1:1/RoCE. Try selecting NICs "
        "of only one link type using NCCL_IB_HCA"),
    row<IbDevicesIncompatible>(
        "NET/IB : Remote {remote:word} device is incompatible with the local "
        "[{:int}]{local:word}:{:int}/{local_link:word}. Try selecting NICs of only one link type using NCCL_IB_HCA",
        "2.26.2", "",
        "NET/IB : Remote RoCE device is incompatible with the local [0]mlx5_0:1/IB. Try selecting NICs of only one "
        "link type using NCCL_IB_HCA"),
    row<IbDevicesIncompatible>("NET/IB : Can't {:connect|merge} net devices with different link_layer. i={:int} "
                               "remMeta.ndevs={:int} link_layer={local_link:word} rem_link_layer={remote_link:word}",
                               "2.20.3", "2.25.1",
                               "NET/IB : Can't connect net devices with different link_layer. i=0 remMeta.ndevs=1 "
                               "link_layer=1 rem_link_layer=2"),
    row<IbDevicesIncompatible>(
        "NET/IB : Trying to merge multiple devices together with different link_layer properties {local:word} -> "
        "{local_link:word}, {remote:word} -> {remote_link:word}. Try only selecting NICs with one type of link using "
        "NCCL_IB_HCA",
        "2.24.3", "2.25.1",
        "NET/IB : Trying to merge multiple devices together with different link_layer properties mlx5_0 -> 1, mlx5_1 "
        "-> 2. Try only selecting NICs with one type of link using NCCL_IB_HCA"),
    row<IbRailsMismatched>("NET/IB : There are mismatched physical devices between local ({local}) and remote "
                           "({remote}). To disable this warning, set NCCL_IB_WARN_RAIL_LOCAL=0",
                           "2.24.3", "",
                           "NET/IB : There are mismatched physical devices between local (mlx5_0) and remote (mlx5_3). "
                           "To disable this warning, set NCCL_IB_WARN_RAIL_LOCAL=0"),
    row<IbRailsMismatched>(
        "NET/IB : Local mergedDev {local:word} has a different number of devices={local_ports} as remote {remote:word} "
        "{remote_ports}",
        "2.20.3", "", "NET/IB : Local mergedDev mlx5_0+mlx5_1 has a different number of devices=2 as remote mlx5_0 1"),
    row<IbRailsMismatched>(
        "NET/IB : Local mergedDev={local:word} has a different number of devices={local_ports} as "
        "remoteDev={remote:word} nRemDevs={remote_ports}",
        "2.20.3", "2.23.4",
        "NET/IB : Local mergedDev=mlx5_0+mlx5_1 has a different number of devices=2 as remoteDev=mlx5_0 nRemDevs=1"),
    row<IbRouterLidMissing>(
        "Warning: remote FLID configured as zero even when endpoints are on different subnets, using dlid as fallback",
        "2.22.3", "",
        "Warning: remote FLID configured as zero even when endpoints are on different subnets, using dlid as fallback"),
    row<IbDeviceFailed>("NET/IB: {({:text}: )}Device {device} marked as failed.{( Initiating recovery? "
                        "{recovery:word})} ({side:word} comm={:hex}{(, outstandingRecovery={:int})})",
                        "2.29.7", "",
                        "NET/IB: ncclIbResiliencyHandleCompletionError: Device 1 marked as failed. (Send "
                        "comm=0x7f1e)\nNET/IB: ncclIbResiliencyHandleCompletionError: Device 1 marked as failed. "
                        "Initiating recovery? Yes (Send comm=0x7f1e, outstandingRecovery=1)\nNET/IB: Device 1 marked "
                        "as failed. Initiating recovery? Yes (Send comm=0x7f1e, outstandingRecovery=1)"),
    row<WqeDelayed>("NET/IB: WQE {what:slow}: peer={peer} | local: qpn={:int} dev={device:word} port={port} lid={:int} "
                    "localGid={:text} | remote: qpn={:int} port={:int} lid={:int} remoteGid={:text} | "
                    "thr={threshold}ns delta={delay}ns mean={:real}ns stddev={:real}ns {(p50={median}ns p90={:int}ns "
                    "p99={:int}ns p99.9={:int}ns )}max={longest}ns count={count} | t_post={:int} t_poll={:int}",
                    "2.31.2", "",
                    "NET/IB: WQE slow: peer=10.0.35.1<49189> | local: qpn=4312 dev=mlx5_0 port=1 lid=0 "
                    "localGid=::ffff:10.7.0.1 | remote: qpn=4298 port=1 lid=0 remoteGid=::ffff:10.7.0.2 | "
                    "thr=1000000ns delta=52731904ns mean=81233ns stddev=1201344ns p50=14336ns p90=30720ns p99=61440ns "
                    "p99.9=53477376ns max=52731904ns count=20480 | t_post=81244031991 t_poll=81296763895"),
    row<WqeDelayed>("NET/IB: WQE {what:stall} (no CQE): peer={peer} | local: qpn={:int} dev={device:word} port={port} "
                    "lid={:int} localGid={:text} | remote: qpn={:int} port={:int} lid={:int} remoteGid={:text} | "
                    "stall_thr={threshold}ns age={delay}ns inflight={inflight}",
                    "2.31.2", "",
                    "NET/IB: WQE stall (no CQE): peer=10.0.35.1<49189> | local: qpn=4312 dev=mlx5_0 port=1 lid=0 "
                    "localGid=::ffff:10.7.0.1 | remote: qpn=4298 port=1 lid=0 remoteGid=::ffff:10.7.0.2 | "
                    "stall_thr=1000000ns age=2000131072ns inflight=8"),
    row<WqeDelayed>("NET/IB: WQE {what:latency summary} [{:word} peer={peer} dev={device:word} qpn={:int} "
                    "port={port}]: n={count} slow={slow} thr={threshold}ns | post-to-poll ns: mean={:real} std={:real} "
                    "p50={median} p90={:int} p99={:int} p99.9={:int} max={longest}",
                    "2.31.2", "",
                    "NET/IB: WQE latency summary [send peer=10.0.35.1<49189> dev=mlx5_0 qpn=4312 port=1]: n=20480 "
                    "slow=3 thr=1000000ns | post-to-poll ns: mean=81233 std=1201344 p50=14336 p90=30720 p99=61440 "
                    "p99.9=53477376 max=52731904"),
    row<CollectiveMismatched>(
        "NET/{network:IB} : {(peer {peer} )}collective mismatch error local size {local_size} remote {remote_size} "
        "addr {:hex} rkey {:hex} seq {:hex}/{:hex}",
        "2.4.2", "2.11.4",
        "NET/IB : collective mismatch error local size 4096 remote 8192 addr 7f1e rkey 1f seq 3/3\nNET/IB : peer "
        "10.0.35.1<49189> collective mismatch error local size 4096 remote 8192 addr 7f1e rkey 1f seq 3/3"),
    row<CollectiveMismatched>("NET/{network:IB} : req {:int}/{:int} tag {:hex} peer {peer} collective mismatch error "
                              "local size {local_size} remote {remote_size} addr {:hex} rkey {:hex}",
                              "2.12.7", "2.12.7",
                              "NET/IB : req 0/1 tag 1f peer 10.0.35.1<49189> collective mismatch error local size 4096 "
                              "remote 8192 addr 7f1e rkey 1f"),
    row<CollectiveMismatched>(
        "NET/{network:IB} : req {:int}/{:int} tag {:hex} peer {peer} collective mismatch error, local size "
        "{local_size} remote size {remote_size}",
        "2.12.10", "",
        "NET/IB : req 0/1 tag 1f peer 10.0.35.1<49189> collective mismatch error, local size 4096 remote size 8192"),
    row<CollectiveMismatched>(
        "NET/{network:IB} : req {:int}/{:int} tag {:hex} peer {peer} posted incorrect receive info: size {remote_size} "
        "addr {:hex} rkey{:s[0]=| }{:hex}",
        "2.12.10", "",
        "NET/IB : req 0/1 tag 1f peer 10.0.35.1<49189> posted incorrect receive info: size -1 addr 7f1e rkeys[0]=1f"),
    row<CollectiveMismatched>(
        "NET/{network:Socket} : {(peer {peer} )}message truncated : receiving {remote_size} bytes instead of "
        "{local_size}{(. If you believe your socket network is in {:text})}",
        "2.4.2", "",
        "NET/Socket : message truncated : receiving 8192 bytes instead of 4096\nNET/Socket : peer 10.0.35.1<49189> "
        "message truncated : receiving 8192 bytes instead of 4096\nNET/Socket : peer 10.0.35.1<49189> message "
        "truncated : receiving 8192 bytes instead of 4096. If you believe your socket network is in a healthy state, "
        "there may be a mismatch in collective sizes or environment settings (e.g. NCCL_PROTO, NCCL_ALGO) between "
        "ranks"),
    row<CollectiveMismatched>(
        "Mismatched collective detected, please check your collective calls at and around rank {rank}. {:text}",
        "2.4.2", "2.7.6",
        "Mismatched collective detected, please check your collective calls at and around rank 3. You can use "
        "NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=COLL to see the collective logs"),
    row<CollectiveMismatched>(
        "Your program may be hanging, this may be caused by a collective mismatch around rank {rank}. {:text}", "2.4.2",
        "2.7.6",
        "Your program may be hanging, this may be caused by a collective mismatch around rank 3. Please check your "
        "collective calls at and around this rank. You can use NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=COLL to see the "
        "collective logs"),
};

}  // namespace

const Family ib_family{"ib", ib_rows};

}  // namespace nccl_analyze
