#pragma once
// The table of phrases that tell that a process ended, and how: those of the shell, the kernel, signal handlers and the
// C library. They are less specific than those of phrase_table.h.

#include "messages/phrases.h"

namespace nccl_analyze {

constexpr Phrase ending_phrases[] = {
    {"application-error", "A worker died or was killed",
     "A worker died or was killed while executing a task by an unexpected system error.", PrintedBy::anyone},
    {"process-died", "tasks are unhealthy (stopped sending heartbeats)",
     "UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats):", PrintedBy::anyone},
    {"process-died", "heartbeat timeout. This indicates that the remote task",
     "UNAVAILABLE: Task worker-1 heartbeat timeout. This indicates that the remote task has failed, got preempted, or "
     "crashed unexpectedly.",
     PrintedBy::anyone},
    // Functions of NCCL in the stack of a crash.
    {"process-died", "rasThreadMain", "12 0x00000000001f3a5c rasThreadMain()  ???:0", PrintedBy::anyone},
    {"process-died", "rasMsgHandle", " 9 0x00000000001f1b2c rasMsgHandlePeersUpdate()  ras/peers.cc:280",
     PrintedBy::anyone},
    {"process-died", "ncclCuMemHostEnable()", " 6 0x000000000007a1b2 ncclCuMemHostEnable()  /src/misc/cudawrap.cc:90",
     PrintedBy::anyone},
    {"process-died", "ncclLaunchPrepare()", " 5 0x0000000000063b5c ncclLaunchPrepare()  /src/enqueue.cc:1275",
     PrintedBy::anyone},
    {"process-died", "EFA provider is operating in", "As a result, the Libfabric EFA provider is operating in",
     PrintedBy::anyone},
    {"application-error", "The server socket has failed to listen on any",
     "[E socket.cpp:922] [c10d] The server socket has failed to listen on any local network address.",
     PrintedBy::anyone},
    {"application-error", "SIGBUS received", "*** SIGBUS received at time=1739701763 on cpu 101 ***",
     PrintedBy::anyone},
    {"application-error", "received signal SIGBUS", "Thread 12 \"python3\" received signal SIGBUS, Bus error.",
     PrintedBy::anyone},
    {"process-died", "Caught signal",
     "[worker-1:4711 :0:4711] Caught signal 11 (Segmentation fault: address not mapped to object at address 0x28)",
     PrintedBy::anyone},
    {"process-died", "*** End of error message ***", "[worker-1:04711] *** End of error message ***",
     PrintedBy::anyone},
    {"process-died", "Segmentation fault",
     "run.sh: line 12:  4711 Segmentation fault      (core dumped) ./all_reduce_perf -g 8", PrintedBy::anyone},
    {"application-error", "Bus error", "run.sh: line 12:  4711 Bus error               (core dumped) python3 train.py",
     PrintedBy::anyone, "core dumped"},
    // Messages that accompany abort(): from the shell, glibc's checks of heap and stack, and assert().
    {"application-error", "Aborted (core dumped)", "Aborted (core dumped)", PrintedBy::anyone},
    {"application-error", "double free or corruption",
     "*** Error in `python': double free or corruption (!prev): 0x000055 ***", PrintedBy::anyone},
    {"application-error", "corrupted size vs. prev_size", "corrupted size vs. prev_size", PrintedBy::anyone},
    {"application-error", "corrupted double-linked list", "corrupted double-linked list", PrintedBy::anyone},
    {"application-error", "malloc(): corrupted", "malloc(): corrupted top size", PrintedBy::anyone},
    {"application-error", "malloc(): unaligned tcache chunk detected", "malloc(): unaligned tcache chunk detected",
     PrintedBy::anyone},
    {"application-error", "malloc(): invalid size", "malloc(): invalid size (unsorted)", PrintedBy::anyone},
    {"application-error", "malloc(): invalid next", "malloc(): invalid next size (unsorted)", PrintedBy::anyone},
    {"application-error", "malloc(): memory corruption", "malloc(): memory corruption (fast)", PrintedBy::anyone},
    {"application-error", "malloc(): mismatching", "malloc(): mismatching next->prev_size (unsorted)",
     PrintedBy::anyone},
    {"application-error", "free(): invalid pointer", "free(): invalid pointer", PrintedBy::anyone},
    {"application-error", "free(): invalid size", "free(): invalid size", PrintedBy::anyone},
    {"application-error", "free(): invalid next size", "free(): invalid next size (fast)", PrintedBy::anyone},
    {"application-error", "free(): corrupted", "free(): corrupted unsorted chunks", PrintedBy::anyone},
    {"application-error", "free(): double free detected", "free(): double free detected in tcache 2",
     PrintedBy::anyone},
    {"application-error", "munmap_chunk(): invalid pointer", "munmap_chunk(): invalid pointer", PrintedBy::anyone},
    {"application-error", "stack smashing detected", "*** stack smashing detected ***: terminated", PrintedBy::anyone},
    {"application-error", "buffer overflow detected", "*** buffer overflow detected ***: terminated", PrintedBy::anyone,
     "***"},
    {"application-error", "Assertion `", "python: loader.cc:12: void f(): Assertion `x > 0' failed.", PrintedBy::anyone,
     "' failed.", "thread: ["},
    {"application-error", "terminate called after throwing",
     "terminate called after throwing an instance of 'std::bad_alloc'", PrintedBy::anyone},
};

}  // namespace nccl_analyze
