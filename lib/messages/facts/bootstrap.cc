// Rows of the bootstrap, in which the ranks of a job find each other: interface, sockets, timings.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row bootstrap_rows[] = {
    row<BootstrapInterfaceChosen>("Bootstrap: Using {interface:word}:{address}", "2.24.3", "",
                                  "Bootstrap: Using eth0:10.0.4.51<0>"),
    row<BootstrapInterfaceChosen>("Bootstrap : Using {:[0]|}{interface:word}:{address}", "2.4.2", "2.23.4",
                                  "Bootstrap : Using [0]eth0:10.0.4.51<0>"),
    row<BootstrapTimed>("Bootstrap timings total {total} (create {create}, send {send}, recv {recv}, ring {ring}, "
                        "delay {delay})",
                        "2.23.4", "",
                        "Bootstrap timings total 59.827020 (create 0.000078, send 0.000189, recv 59.819732, ring "
                        "0.005660, delay 0.000001)"),
    row<InterfaceNotFound>("Bootstrap : no socket interface found", "2.4.8", "",
                           "Bootstrap : no socket interface found"),
    row<InterfaceNotFound>("NET/Socket : No usable listening interface found", "2.4.2", "",
                           "NET/Socket : No usable listening interface found"),
    row<InterfaceNotFound>("NET/Socket : no interface found", "2.4.2", "", "NET/Socket : no interface found"),
    row<InterfaceNotFound>("NET/IB : No IP interface found.", "2.4.2", "", "NET/IB : No IP interface found."),
    row<ConnectRetried>(
        "{:word}: connect{( to {address})} returned {error}, retrying ({attempt}/{attempts}) after sleep for {:int} "
        "msec",
        "2.24.3", "",
        "socketPollConnect: connect to 10.0.1.10<48827> returned Connection refused, retrying (1/34) after sleep for "
        "100 msec\nsocketPollConnect: connect returned Connection refused, retrying (1/34) after sleep for 100 msec"),
    row<ConnectRetried>("Call to connect returned {error}, retrying", "2.4.2", "2.23.4",
                        "Call to connect returned Connection refused, retrying"),
    row<ConnectFailed>(
        "{:word}: connect to {address} returned {error}, exceeded error retry count after {:int} attempts", "2.27.3",
        "",
        "socketPollConnect: connect to 10.0.1.10<48827> returned Connection refused, exceeded error "
        "retry count after 35 attempts"),
    row<ConnectFailed>("{:word}: connect returned {error}, exceeded error retry count ({:int})", "2.24.3", "2.26.6",
                       "socketPollConnect: connect returned Connection refused, exceeded error retry count (35)"),
    row<ConnectFailed>("{:word}: connect to {address} failed : {error}", "2.27.3", "",
                       "socketStartConnect: connect to 10.0.1.10<48827> failed : No route to host"),
    row<ConnectFailed>("socketPollConnect to {address} failed with error {error}", "2.27.3", "2.28.9",
                       "socketPollConnect to 10.0.1.10<48827> failed with error No route to host"),
    row<ConnectFailed>(
        "{(socketStartConnect: )}{(Net : )}Connect to {address} failed : {error}", "2.4.2", "2.26.6",
        "socketStartConnect: Connect to 10.0.1.10<48827> failed : No route to host\nNet : Connect to 10.0.1.10<48827> "
        "failed : No route to host\nConnect to 10.0.1.10<48827> failed : No route to host"),
    row<ConnectFailed>("Call to connect timeout : {error}", "", "2.3.7",
                       "Call to connect timeout : Connection refused"),
    row<ConnectionClosed>("{:socketProgress|Net }: Connection closed by remote peer{peer}", "2.4.2", "",
                          "socketProgress: Connection closed by remote peer train-1<41234>\nNet : Connection closed by "
                          "remote peer train-1<41234>"),
    row<SocketFailed>("{(socketProgressOpt: )}{(ncclOsSocketProgressOpt: )}{(Net : )}Call to {operation:send to|recv "
                      "from} {peer:word} failed : {error}",
                      "2.4.2", "",
                      "socketProgressOpt: Call to send to 10.0.1.12<60639> failed : Connection reset by "
                      "peer\nncclOsSocketProgressOpt: Call to send to 10.0.1.12<60639> failed : Connection reset by "
                      "peer\nCall to recv from 10.0.1.12<60639> failed : Connection reset by peer\nNet : Call to recv "
                      "from 10.0.1.12<60639> failed : Connection reset by peer"),
    row<SocketFailed>("socketTryAccept: {operation:Accept failed}: {error}", "2.18.1", "2.28.9",
                      "socketTryAccept: Accept failed: Too many open files"),
    row<ConnectFailed>("socket{:Start|Poll}Connect: {error:exceeded retries|exceeded timeouts} ({:int})", "2.16.2",
                       "2.23.4", "socketPollConnect: exceeded retries (20000)"),
    row<SocketFailed>("{:socketTryAccept|ncclOsSocketTryAccept}: {operation:exceeded error retry count}{( after {:int} "
                      "attempts)}{( ({:int}))}, {error}",
                      "2.24.3", "",
                      "socketTryAccept: exceeded error retry count after 35 attempts, Too many open "
                      "files\nncclOsSocketTryAccept: exceeded error retry count after 35 attempts, Too many open "
                      "files\nsocketTryAccept: exceeded error retry count (35), Too many open files"),
    row<HandshakeRefused>("socketFinalizeAccept: didn't receive a valid magic from {detail}", "2.27.3", "2.30.4",
                          "socketFinalizeAccept: didn't receive a valid magic from 10.0.1.9<51514>"),
    row<HandshakeRefused>("socketFinalizeAccept: wrong magic {detail}", "2.16.2", "2.26.6",
                          "socketFinalizeAccept: wrong magic d2e4b1 != 564ab9f2fc4b9d6c"),
    row<HandshakeRefused>("socketFinalizeAccept: wrong type {detail}", "2.16.2", "2.26.6",
                          "socketFinalizeAccept: wrong type 3 != 5"),
    row<HandshakeRefused>("socketFinalizeAccept from {detail}", "2.27.3", "",
                          "socketFinalizeAccept from 10.0.1.9<51514>: wrong type 3 != 5"),
    row<HandshakeRefused>(
        "socketFinalizeAccept: handshake receive from {detail}", "2.30.7", "",
        "socketFinalizeAccept: handshake receive from 10.0.1.9<51514> failed, discarding peer connection"),
    row<HandshakeRefused>("socketFinalizeAccept: peer {detail}", "2.30.7", "",
                          "socketFinalizeAccept: peer 10.0.1.9<51514> closed before magic handshake, discarding"),
    row<WorldMismatched>("Bootstrap Root : mismatch in {detail}", "2.4.2", "",
                         "Bootstrap Root : mismatch in info from procs, nranks 4 vs 8, nroots 1 vs 1, iroot 0 vs 0"),
    row<WorldMismatched>("Bootstrap Root : rank {detail}", "2.4.2", "",
                         "Bootstrap Root : rank 0 of 4 ranks has already checked in"),
    row<SocketInterfaceUsed>("NET : Using interface {interface:word}:{address}", "", "2.3.7",
                             "NET : Using interface ib0:12.12.12.102<0>"),
};

}  // namespace

const Family bootstrap_family{"bootstrap", bootstrap_rows};

}  // namespace nccl_analyze
