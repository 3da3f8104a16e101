// Rows for messages that show the cause of a failure and are printed by other programs: PyTorch's watchdog, Python,
// launchers, the kernel and NCCL's RAS client. lib/parser/external.cc searches for the first words of these rows, but
// only in lines with a keyword of lib/text/line_scan.cc. A test checks that this search finds each example.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row external_rows[] = {
    // PyTorch's watchdog (torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp): formats of PyTorch 2.1 and later, 1.13,
    // and 2.0. Releases before 1.11 print no SeqNum. In shortened lines, dots replace it.
    row<CollectiveTimedOut>("WorkNCCL({(SeqNum={sequence}, )}{(..., )}OpType={operation:word}, NumelIn={elements_in}, "
                            "NumelOut={elements_out}, Timeout(ms)={timeout}) ran for {ran} milliseconds before timing "
                            "out{:text}",
                            "", "",
                            "WorkNCCL(SeqNum=2070, OpType=REDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for "
                            "600068 milliseconds before timing out.\n"
                            "WorkNCCL(..., OpType=REDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600068 "
                            "milliseconds before timing out."),
    row<CollectiveTimedOut>("WorkNCCL({(SeqNum={sequence}, )}OpType={operation:word}, TensorShape={shape}, "
                            "Timeout(ms)={timeout}) ran for {ran} milliseconds before timing out{:text}",
                            "", "",
                            "WorkNCCL(SeqNum=12, OpType=ALLREDUCE, TensorShape=[1024], Timeout(ms)=1800000) ran for "
                            "1801119 milliseconds before timing out.\n"
                            "WorkNCCL(OpType=ALLREDUCE, TensorShape=[1024], Timeout(ms)=1800000) ran for 1801119 "
                            "milliseconds before timing out."),
    row<CollectiveTimedOut>("WorkNCCL({(SeqNum={sequence}, )}OpType={operation:word}, Timeout(ms)={timeout}) ran for "
                            "{ran} milliseconds before timing out{:text}",
                            "", "",
                            "WorkNCCL(SeqNum=12, OpType=BARRIER, Timeout(ms)=1800000) ran for 1801119 milliseconds "
                            "before timing out.\n"
                            "WorkNCCL(OpType=BARRIER, Timeout(ms)=1800000) ran for 1801119 milliseconds before timing "
                            "out."),
    row<WatchdogReported>("watchdog at work: {work}, last enqueued NCCL work: {enqueued}, last completed NCCL work: "
                          "{completed}.{:text}",
                          "", "",
                          "watchdog at work: 2070, last enqueued NCCL work: 2082, last completed NCCL work: 2069."),
    row<WatchdogReported>("watchdog at work sequence id: {work} PG status: last enqueued work: {enqueued}, last "
                          "completed work: {completed}{:text}",
                          "", "",
                          "watchdog at work sequence id: 93 PG status: last enqueued work: 93, last completed work: "
                          "92"),
    row<WatchdogReported>("Timeout at NCCL work: {work}, last enqueued NCCL work: {enqueued}, last completed NCCL "
                          "work: {completed}.{:text}",
                          "", "", "Timeout at NCCL work: 7, last enqueued NCCL work: 9, last completed NCCL work: 6."),
    row<WatchdogReported>("Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.{:text}", "", "",
                          "Last enqueued NCCL work: 12, last completed NCCL work: 11."),
    row<FirstToSignal>("First PG on this rank to signal dumping.{:text}", "", "",
                       "First PG on this rank to signal dumping."),
    // PyTorch's desync report (torch/csrc/distributed/c10d/TraceUtils.h), enabled by TORCH_NCCL_DESYNC_DEBUG.
    row<RanksDesynced>("[{ranks}] joined but didn't finish collective #{joined} (count from 1)", "", "",
                       "[1, 3] joined but didn't finish collective #7 (count from 1)"),
    row<RanksDesynced>("[{ranks}] finished collective #{finished}, but didn't join collective #{:int} (count from 1)",
                       "", "", "[2] finished collective #7, but didn't join collective #8 (count from 1)"),
    row<RanksDesynced>("[{ranks}] are the lagging ranks that caused this timeout. They never joined any collectives",
                       "", "", "[5] are the lagging ranks that caused this timeout. They never joined any collectives"),
    // Exceptions, in the last lines of Python tracebacks.
    // PyTorch Lightning, which prints it behind `initializing ddp: `, `Initializing distributed: ` and the like.
    row<MemberAnnounced>("GLOBAL_RANK: {rank}, MEMBER: {:int}/{size}", "", "", "GLOBAL_RANK: 2, MEMBER: 3/8"),
    row<MembersRegistered>("All distributed processes registered. Starting with {size} processes", "", "",
                           "All distributed processes registered. Starting with 8 processes"),
    row<ProgramRaised>(
        "{exception:torch.distributed.DistBackendError|torch.distributed.DistNetworkError|"
        "torch.distributed.DistStoreError|torch.OutOfMemoryError|torch.cuda.OutOfMemoryError|torch.AcceleratorError|"
        "ray.exceptions.ActorDiedError|ray.exceptions.RayActorError|ray.exceptions."
        "RayTaskError|"
        "ray.exceptions.WorkerCrashedError|subprocess.CalledProcessError|json.decoder.JSONDecodeError|"
        "huggingface_hub.errors.HfHubHTTPError|safetensors_rust.SafetensorError}: {words}",
        "", "", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."),
    row<ProgramRaised>("ray.exceptions.{exception:RayTaskError}({:word}): {words}", "", "",
                       "ray.exceptions.RayTaskError(ValueError): ray::Trainer.fit() (pid=4711, ip=10.0.4.12)"),
    row<ProgramRaised>("{exception:RuntimeError|ValueError|TypeError|KeyError|IndexError|AttributeError|"
                       "AssertionError|ImportError|ModuleNotFoundError|FileNotFoundError|PermissionError|OSError|"
                       "NameError|MemoryError|TimeoutError|ConnectionError|ConnectionResetError|"
                       "ConnectionRefusedError|BrokenPipeError|NotImplementedError|ZeroDivisionError|RecursionError|"
                       "UnicodeDecodeError|OverflowError|FloatingPointError|EOFError|SyntaxError|Exception}: {words}",
                       "", "", "RuntimeError: CUDA error: device-side assert triggered"),
    // TensorFlow 1, at the end of its own traceback.
    row<ProgramRaised>("{exception:UnknownError|InternalError|InvalidArgumentError} (see above for traceback): {words}",
                       "", "", "UnknownError (see above for traceback): ncclCommInitRank failed: unhandled cuda error"),
    row<ProgramRaised>("{exception:KeyboardInterrupt}", "", "", "KeyboardInterrupt"),
    row<ProgramRaised>("{exception:Fatal Python error}: {words}", "", "", "Fatal Python error: Segmentation fault"),
    row<ProgramRaised>(
        "watchdog thread {exception:terminated with exception}: {words}", "", "",
        "watchdog thread terminated with exception: CUDA error: an illegal memory access was encountered"),
    // The text of an exception that no handler caught; libstdc++ prints it after `terminate called after throwing`.
    row<ProgramRaised>("{exception:what()}:  {words}", "", "", "what():  NCCL Error 2: unhandled system error"),
    // The agent of torchrun when a signal ends it (torch/distributed/elastic/multiprocessing/api.py).
    row<ProgramRaised>("{exception:torch.distributed.elastic.multiprocessing.api.SignalException|SignalException}: "
                       "{words}",
                       "", "",
                       "torch.distributed.elastic.multiprocessing.api.SignalException: Process 4711 got signal: 15"),
    row<ProgramRaised>("Received {words:word} {exception:death signal}, shutting down workers", "", "",
                       "Received Signals.SIGHUP death signal, shutting down workers"),
    // The HIP runtime, rocclr/device/rocm/rocdevice.cpp.
    row<ProgramRaised>("Callback: Queue {:word} {exception:aborting with error} : {words}", "", "",
                       "Callback: Queue 0x7f10 aborting with error : HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: The "
                       "agent attempted to access memory beyond the largest legal address. code: 0x29"),
    row<ProgramRaised>("Device::callbackQueue {exception:aborting with error} : {words}", "", "",
                       "Device::callbackQueue aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation "
                       "resulted in a hardware exception. code: 0x1016"),
    // nccl-tests, which ends when a call of NCCL or CUDA fails (src/common.h).
    row<ProgramRaised>(
        "Test {exception:NCCL failure|CUDA failure|HIP failure} {words}", "", "",
        "Test NCCL failure common.cu:961 'internal error - please report this issue to the NCCL "
        "developers / '\nTest CUDA failure common.cu:294 'out of memory'\nTest HIP failure common.cu:294 "
        "'hipErrorInvalidDevice'"),
    // ROCm's runtime, which then aborts the process.
    row<ProgramRaised>("HW Exception {exception:by GPU} {:word} (Agent handle: {:word}) reason :{words}", "", "",
                       "HW Exception by GPU node-2 (Agent handle: 0x55d0c8) reason :GPU Hang"),
    row<ProgramRaised>("Memory access fault {exception:by GPU} {words}", "", "",
                       "Memory access fault by GPU node-1 (Agent handle: 0x55d0c8) on address 0x7f. Reason: Unknown."),
    // The check macro of FastMoE and its like, and a bare ncclResult_t.
    row<ProgramRaised>("{exception:NCCL Error} at {:word} value {words:word}", "", "",
                       "NCCL Error at /opt/moe/cuda/global_exchange.cpp:127 value 5"),
    row<ProgramRaised>("{exception:NCCL failure} {words:word}", "", "", "NCCL failure 5"),
    // The check macros of the examples in NCCL's documentation and of programs based on them. They call exit().
    row<ProgramRaised>("Failed, {exception:NCCL error|Cuda error|CUDA error} {words}", "", "",
                       "Failed, NCCL error example.cc:45 'unhandled system error'"),
    row<ProgramRaised>("Failed: {exception:NCCL error|Cuda error|CUDA error} {words}", "", "",
                       "Failed: Cuda error example.cu:31 'an illegal memory access was encountered'"),
    // Python's argparse, which then ends the program.
    row<ProgramRaised>("error: {exception:unrecognized arguments|the following arguments are required}: {words}", "",
                       "", "error: unrecognized arguments: --local-rank=3"),
    // Python's subprocess, by which launchers start their processes.
    row<ProcessEnded>("died with <Signals.{why:word}: {signal}>{:text}", "", "", "died with <Signals.SIGKILL: 9>."),
    // A rank called MPI_Abort: Open MPI 1.3 to 5, MPICH and its derivatives.
    row<ProcessEnded>("{why:MPI_ABORT} was invoked on rank {rank} in communicator {:text}", "", "",
                      "MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD"),
    row<ProcessEnded>("application called {why:MPI_Abort}({:text}) - process {rank}", "", "",
                      "application called MPI_Abort(MPI_COMM_WORLD, 1) - process 3"),
    // Processes that were killed for lack of memory, by the kernel's OOM killer, Kubernetes, Slurm or Ray.
    row<ProcessEnded>("{why:Killed process} {pid} ({program}){:text}", "", "",
                      "Killed process 4711 (python), UID 0, total-vm:98304kB, anon-rss:65536kB"),
    row<ProcessEnded>("{why:OOMKilled}{:text}", "", "", "OOMKilled"),
    row<ProcessEnded>("{why:oom_kill event|oom-kill event}{:text}", "", "", "oom_kill event in StepId=77.0."),
    row<ProcessEnded>("{why:killed due to memory pressure}{:text}", "", "", "killed due to memory pressure (OOM), 0"),
    row<ProcessEnded>(
        "Workers (tasks / actors) {why:killed due to memory pressure} (OOM), {:text} at node (ID: {:word}, "
        "IP: {host:word}){:text}",
        "", "",
        "Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other "
        "reasons at node (ID: 2c8262, IP: 10.0.4.12) over the last time period."),
    row<ProcessEnded>("{why:ray.exceptions.OutOfMemoryError}: {detail}", "", "",
                      "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory."),
    // The kubelet's reason for an eviction, as `kubectl get events` and `kubectl describe pod` print it.
    row<ProcessEnded>("{why:Evicted}{:blank}pod/{host:word} {:blank}The node was {detail}", "", "",
                      "Evicted   pod/train-worker-1   The node was low on resource: memory. Threshold quantity: "
                      "100Mi, available: 50Mi."),
    row<ProcessEnded>("{why:The node was low on resource}: {detail}", "", "",
                      "The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 9Gi."),
    // Exit codes and signals: torchrun, mpirun, srun.
    row<ProcessEnded>("(exitcode: {code}) local_rank: {local_rank} (pid: {pid}) of {:text}", "", "",
                      "(exitcode: -9) local_rank: 3 (pid: 4711) of binary: /usr/bin/python3"),
    row<ProcessEnded>("mpirun noticed that process rank {rank} with PID {pid} on node {host:word} exited on signal "
                      "{signal} ({why}).",
                      "", "",
                      "mpirun noticed that process rank 3 with PID 4711 on node worker-1 exited on signal 9 "
                      "(Killed)."),
    row<ProcessEnded>("srun: error: {host:word}: task {rank}: {why:Killed|Out Of Memory|Segmentation "
                      "fault|Aborted|Bus error}{:text}",
                      "", "", "srun: error: worker-1: task 3: Out Of Memory"),
    // Slurm joins the tasks of a node that end alike.
    row<ProcessEnded>("srun: error: {host:word}: tasks {:word}: {why:Killed|Out Of Memory|Segmentation "
                      "fault|Aborted|Bus error}{:text}",
                      "", "", "srun: error: worker-1: tasks 0-3,7: Out Of Memory"),
    row<ProcessEnded>("srun: error: {host:word}: tasks {:word}: {why:Exited with exit code} {code}", "", "",
                      "srun: error: worker-1: tasks 8-15: Exited with exit code 1"),
    row<ProcessEnded>("{program:mpirun|mpiexec|orterun|prterun} detected that one or more processes exited with "
                      "{why:non-zero status}{:text}",
                      "", "", "mpirun detected that one or more processes exited with non-zero status, thus causing"),
    row<ProcessEnded>("{why:Primary job}{:blank}terminated normally, but {:text}", "", "",
                      "Primary job  terminated normally, but 1 process returned"),
    // Open MPI's signal handler prints this after the host and the pid of the process.
    row<ProcessEnded>("] Signal: {why} ({signal})", "", "", "] Signal: Bus error (7)"),
    // Printed by the shell that started the program: `run.sh: line 12:  4711 Killed`.
    row<ProcessEnded>(": line {:int}: {pid} {why:Killed} {:text}", "", "",
                      ": line 12:  4711 Killed                  python3 train.py"),
    row<ProcessEnded>("srun: error: {host:word}: task {rank}: {why:Exited with exit code} {code}", "", "",
                      "srun: error: worker-1: task 3: Exited with exit code 1"),
    // Servers whose parent process misses a child: vLLM, SGLang, TGI.
    row<ProcessEnded>(
        "{:Worker|Engine core} proc {program:word} {why:died unexpectedly}{( (exit code: {code}))}{:text}", "", "",
        "Worker proc VllmWorker-1 died unexpectedly, shutting down executor.\n"
        "Worker proc VllmWorker-1 died unexpectedly (exit code: -9), shutting down executor."),
    row<ProcessEnded>("RayWorkerProc rank=[{rank}] {why:died unexpectedly}, shutting down {:text}", "", "",
                      "RayWorkerProc rank=[3] died unexpectedly, shutting down executor."),
    row<ProcessEnded>("Worker {program:word} pid {pid} {why:died, exit code}: {code}", "", "",
                      "Worker VllmWorkerProcess pid 4711 died, exit code: -15"),
    row<ProcessEnded>("{why:Received sigquit} from a child process. {:text}", "", "",
                      "Received sigquit from a child process. It usually means the child failed."),
    row<ProcessEnded>("Shard process was {why:signaled to shutdown} with signal {signal}{( rank={rank})}", "", "",
                      "Shard process was signaled to shutdown with signal 9 rank=0\n"
                      "Shard process was signaled to shutdown with signal 9"),
    // Paddle's signal handler.
    row<ProcessEnded>("[SignalInfo: *** {why:word} ({:text}) received by PID {pid} {:text}", "", "",
                      "[SignalInfo: *** SIGSEGV (@0x0) received by PID 4711 (TID 0x7f103bc4a700) from PID 0 ***]"),
    // Dask's nanny, Spark's scheduler, Paddle's launcher, MosaicML's.
    row<ProcessEnded>("Worker process {pid} was {why:killed by signal} {signal}", "", "",
                      "Worker process 4711 was killed by signal 9"),
    row<ProcessEnded>("{why:Lost executor} {program:word} on {host:word}: {detail}", "", "",
                      "Lost executor 3 on worker-1: Executor heartbeat timed out after 125431 ms"),
    row<ProcessEnded>(
        "Container rank {rank} {why:status failed} cmd {:text} code {code} log {:text}", "", "",
        "Container rank 3 status failed cmd ['/usr/bin/python3', 'train.py'] code -9 log log/workerlog.3"),
    row<ProcessEnded>("the trainer process with rank=[{rank}] was {why:aborted}. {:text}", "", "",
                      "the trainer process with rank=[3] was aborted. Please check its log."),
    row<ProcessEnded>("Rank {rank} {why:crashed with exit code} {code}.", "", "", "Rank 3 crashed with exit code -9."),
    // horovodrun, runner/gloo_run.py, for each process and at the end.
    row<ProcessEnded>("Process {rank} exit with {why:status code} {code}.", "", "",
                      "Process 1 exit with status code 137."),
    // `kubectl describe pod`.
    row<ProcessEnded>("{why:Exit Code}:{:blank}{code}", "", "", "Exit Code:    137"),
    // Printed by a shell that runs a single program, and by `kubectl exec`.
    row<ProcessEnded>("{why:Killed}", "", "", "Killed"),
    row<ProcessEnded>("command {why:terminated with exit code} {code}", "", "",
                      "command terminated with exit code 137"),
    // The kernel prints this after the name of a program and its pid on the host.
    row<ProcessEnded>("{why:segfault at} {:text}", "", "",
                      "segfault at 10 ip 00007f5a4c0b1e10 sp 00007ffd1c2a3b40 error 4 in libc.so.6"),
    // Exit codes and signals: DeepSpeed, Intel MPI, MPICH.
    row<ProcessEnded>("=   {why:EXIT CODE}: {code}", "", "", "=   EXIT CODE: 9"),
    row<ProcessEnded>("{why:exits with return code} = {code}", "", "", "exits with return code = -9"),
    row<ProcessEnded>("KILL SIGNAL: {signal} ({why})", "", "", "KILL SIGNAL: 9 (Killed)"),
    row<ProcessEnded>("APPLICATION TERMINATED WITH THE EXIT STRING: {why} (signal {signal})", "", "",
                      "APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)"),
    row<JobCancelled>("slurmstepd: error: *** {:JOB|STEP} {job:word} STEPD TERMINATED ON {host:word} AT {:word} {why} "
                      "***",
                      "", "",
                      "slurmstepd: error: *** JOB 77 STEPD TERMINATED ON worker-1 AT 2026-01-31T10:00:00 DUE TO JOB "
                      "NOT ENDING WITH SIGNALS ***"),
    row<JobCancelled>("slurmstepd: error: *** {:JOB|STEP} {job:word} ON {host:word} CANCELLED AT {:word} {why} ***", "",
                      "",
                      "slurmstepd: error: *** JOB 77 ON worker-1 CANCELLED AT 2026-01-31T10:00:00 DUE TO TIME LIMIT "
                      "***"),
    row<JobCancelled>("slurmstepd: error: *** {:JOB|STEP} {job:word} ON {host:word} CANCELLED AT {:word} ***", "", "",
                      "slurmstepd: error: *** STEP 77.0 ON worker-1 CANCELLED AT 2026-01-31T10:00:00 ***"),
    // The limits of PBS and LSF.
    row<JobCancelled>("=>> PBS: job killed: {why:walltime|cput} {:text}", "", "",
                      "=>> PBS: job killed: walltime 3610 exceeded limit 3600"),
    row<ProcessEnded>("=>> PBS: {why:job killed: mem|job killed: vmem} {:text}", "", "",
                      "=>> PBS: job killed: mem 66216388kb exceeded limit 66060288kb"),
    row<JobCancelled>("TERM_RUNLIMIT: job killed after reaching LSF {why:run time limit}{:text}", "", "",
                      "TERM_RUNLIMIT: job killed after reaching LSF run time limit."),
    row<ProcessEnded>("TERM_MEMLIMIT: {why:job killed after reaching LSF memory usage limit}{:text}", "", "",
                      "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit."),
    // The GPU driver's kernel messages.
    row<GpuFaulted>("NVRM: Xid (PCI:{bus_id:word}): {xid}, {words}", "", "",
                    "NVRM: Xid (PCI:0000:4b:00): 79, pid=4711, name=python3, GPU has fallen off the bus."),
    // Nodes that Slurm, mpirun or Ray lost.
    row<NodeLost>("{who:srun|salloc}: error: Node failure on {host:word}", "", "",
                  "srun: error: Node failure on worker-1"),
    row<NodeLost>("{who:ORTE|PRTE} has lost communication with a remote daemon{:text}", "", "",
                  "PRTE has lost communication with a remote daemon."),
    row<NodeLost>("{who:Remote daemon}: {:word} on node {host:word}", "", "",
                  "Remote daemon: [[17757,0],13] on node worker-1"),
    row<NodeLost>("{who:ray.exceptions.NodeDiedError}: {:text}", "", "",
                  "ray.exceptions.NodeDiedError: Task failed because the node it was running on is dead or "
                  "unavailable. Node IP: 10.0.4.12, node ID: 2c8262."),
    row<NodeLost>("{who:The actor} {:is dead|died} because its node has died{:text}", "", "",
                  "The actor is dead because its node has died. Node Id: 2c8262"),
    row<NodeLost>("{who:The node with node id}: {:word} and address: {host:word}{( and node name: {:word})} has been "
                  "marked dead because {:text}",
                  "", "",
                  "The node with node id: 2c8262 and address: 10.0.4.12 and node name: worker-1 has been marked dead "
                  "because the detector has missed too many heartbeats from it.\n"
                  "The node with node id: 2c8262 and address: 10.0.4.12 has been marked dead because the detector has "
                  "missed too many heartbeats from it."),
    // The kernel's messages about other devices: NVIDIA's NVSwitches, NICs, PCIe ports, AMD's GPUs.
    row<DeviceFaulted>("{driver:nvidia-nvswitch}{:int}: {what:SXid} (PCI:{device:word}): {code}, Fatal, {words}", "",
                       "", "nvidia-nvswitch3: SXid (PCI:0000:c5:00.0): 20034, Fatal, Link 30 LTSSM Fault Up"),
    row<DeviceFaulted>("{driver:mlx5_core} {device:word} {words:word}: {what:Link down|Link up}", "", "",
                       "mlx5_core 0000:3b:00.0 ens3np0: Link down"),
    row<DeviceFaulted>("{driver:mlx5_core} {device:word} {:text}firmware internal error{words}", "", "",
                       "mlx5_core 0000:3b:00.0: print_health_info:424:(pid 0): Health issue observed, firmware "
                       "internal error, severity(3) ERROR:"),
    row<DeviceFaulted>("{driver:mlx5_core} {device:word} {:text}device's health compromised{words}", "", "",
                       "mlx5_core 0000:3b:00.0: poll_health:825:(pid 0): device's health compromised - reached miss "
                       "count"),
    // A GPU that does not answer, as the driver's module, nvidia-smi and the kubelet print it.
    row<DeviceFaulted>("{driver:NVRM}: {what:fallen off the bus} and is not responding to commands.{words}", "", "",
                       "NVRM: fallen off the bus and is not responding to commands."),
    row<DeviceFaulted>("{driver:NVRM}: system has {what:fallen off the bus} and is not responding to commands.{words}",
                       "", "", "NVRM: system has fallen off the bus and is not responding to commands."),
    row<DeviceFaulted>("Unable to determine {what:the device handle} for {:GPU|gpu}{:blank}{device:word} {words}", "",
                       "",
                       "Unable to determine the device handle for GPU 0000:3b:00.0: Unknown Error\n"
                       "Unable to determine the device handle for GPU0000:3B:00.0: Unknown Error"),
    row<DeviceFaulted>("error creating nvml.Device {device:word} nvml: {what:GPU is lost}{words}", "", "",
                       "error creating nvml.Device 3: nvml: GPU is lost, which is unexpected"),
    row<DeviceFaulted>("(Fatal) error {what:received}: {device:word}", "", "", "(Fatal) error received: 0000:3b:00.0"),
    row<DeviceFaulted>("(Fatal) error message {what:received} from {device:word}", "", "",
                       "(Fatal) error message received from 0000:3b:00.0"),
    row<DeviceFaulted>("{driver:amdgpu} {device:word} amdgpu: {what:GPU reset begin}!{:text}", "", "",
                       "amdgpu 0000:83:00.0: amdgpu: GPU reset begin!"),
    row<DeviceFaulted>("{driver:amdgpu} {device:word} amdgpu: {what:uncorrectable hardware error}{words}", "", "",
                       "amdgpu 0000:83:00.0: amdgpu: uncorrectable hardware error(ERREVENT_ATHUB_INTERRUPT) "
                       "detected!"),
    // The report of NCCL's RAS client (src/ras/client_support.cc).
    row<RasCountsDiffer>("Communicator ranks have different {operation:word} operation counts", "2.24.3", "",
                         "Communicator ranks have different AllGather operation counts"),
    row<RasRanksCounted>("{ranks} ranks have launched up to operation {launched}", "2.24.3", "",
                         "30 ranks have launched up to operation 640"),
    row<RasRanksCounted>("{ranks} ranks have not launched any operations", "2.24.3", "",
                         "2 ranks have not launched any operations"),
    row<RasRankListed>("Rank {rank} has launched up to operation {launched} -- GPU {gpu:word} managed by process {pid} "
                       "on node {node:word}",
                       "2.24.3", "",
                       "Rank 3 has launched up to operation 7 -- GPU 3 managed by process 4711 on node 10.0.4.52"),
    row<RasRankListed>("Rank {rank} {idle?has not launched any operations }-- GPU {gpu:word} managed by process {pid} "
                       "on node {node:word}",
                       "2.24.3", "",
                       "Rank 12 -- GPU 4 managed by process 323032 on node 10.0.4.52\n"
                       "Rank 3 has not launched any operations -- GPU 3 managed by process 4711 on node 10.0.4.52"),
    row<RasRankListed>("Rank {rank} has launched up to operation {launched} -- [process information not found]",
                       "2.24.3", "", "Rank 3 has launched up to operation 7 -- [process information not found]"),
    row<RasRankListed>("Rank {rank} {idle?has not launched any operations }-- [process information not found]",
                       "2.24.3", "",
                       "Rank 3 -- [process information not found]\n"
                       "Rank 3 has not launched any operations -- [process information not found]"),
    row<RasJobCounted>("{nodes} {:int} {:int} {processes} {gpus}", "2.24.3", "",
                       "4          8            1         32       32"),
    row<RasJobCounted>("{nodes} {processes} {gpus}", "2.24.3", "", "4         30           32"),
    // A group of communicators with equal counts; `nodes` and `gpus` are the counts of one communicator.
    row<RasJobCounted>(
        "{:int} {:int} {nodes} {:int}{(-{:int})} {gpus} {:int}{:blank}{:NOCOMM|INIT|RUNNING|FINALIZE|ABORT}{:text}",
        "2.24.3", "",
        "0         1        32         8       256       256   RUNNING      OK\n"
        "1         3         2       7-8        15        45   RUNNING      OK"),
    row<RasCommunicatorNamed>("#{:int}-{:int} ({comm_id}) {status:word}", "2.24.3", "",
                              "#0-0 (fa93daea854b060b) MISMATCH"),
};

}  // namespace

const Family external_family{"outside", external_rows};

}  // namespace nccl_analyze
