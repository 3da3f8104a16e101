// Words that may stay, in addition to those in NCCL's messages and in phrases of failures. Each is read by the
// analysis, or is a technical word and nobody's name. A word with separators stays only as a whole.

#include "redact/words.h"

#include <array>

namespace nccl_analyze::redact {

namespace {

/// Readers and rules look for these keys, units, programs and words.
constexpr std::string_view of_readers =
    "0123456789abcdef 0x 0x03 0x068001 12xlarge 169.254 16g 2.23 2.4 2.6 24xlarge 2mi 3d 3e 40gb 48xlarge 4xlarge "
    "5120mi 80gb a100 a100-sxm-80gb a100-sxm4-40gb a100-sxm4-80gb a100s a800 a800-sxm4-80gb about acceleratorerror "
    "accelerators acs acs_suspected acscap acsctl actordiederror adapters adds advanced aercap afterwards again "
    "agent alg alg_bw algorithm-forced algorithms aliases alike all_gather all_gather_base "
    "all_gather_into_tensor_coalesced all_reduce all_reduce_barrier all_reduce_coalesced all_to_all "
    "all_to_all_single all_to_allv allgather_base allgather_into_tensor_coalesced allocating allows "
    "allreduce_coalesced alltoall_base allv alone also although always amazonaws amd.com among analyze annotations "
    "answer api apiversion application-error architectures argcheck.cc aricap arictl arm asks assert async_error "
    "asynchronous "
    "atomicopscap atomicopsctl attn attribution average_bus_bandwidth avg away b200 bad-interface "
    "bandwidth-below-path bandwidth-drop bandwidth-outlier bar bare baseline baseline-differs batches began begin "
    "behind benchmark benchmarks beside binomial binomial_trees blames br bridge bridgectl broadcast_coalesced broken "
    "brokenpipeerror bus_bw bus_id busbw buses bw c ca cali call_failed call_retried calledprocesserror came "
    "cap_ipc_lock card carry catastrophic caught cbr cemsk cesta channels-differ chief childfailederror choice "
    "choose chose claims clock closes cni coalesced coll_busbw_gbs coll_perf coll_sn collective-mismatch "
    "collective_counts collective_mismatched collective_seq_id collectives.cc collide collnet-failed collnet_chain "
    "collnet_direct "
    "come comm-aborted comm_id comm_lib_version comm_name commname common common.cu communicators_count compare "
    "compatibility compute_120 conditions confirms connect-failed connect_failed connect_retried connection_closed "
    "connectionrefusederror connectionreseterror connects considered_dead container_name containername containers "
    "containerstatuses contradicts control controller cpp cpu-affinity cpu_affinity_empty cpu_time crashed "
    "createcontainerconfigerror createcontainererror critical crossings cuda-capable cuda-error cuda_dev "
    "cuda_failed cudagetdevicecount cut cv cv_pct daemon damage damaged damaged-lines date deadlineexceeded "
    "debug-level-too-low "
    "decides degraded delayed deliver denied describe describes description design desync detail devcap devcap2 "
    "devctl devctl2 device-side device_hex device_info devicename devsta diag diagnostic diagnostic_reported "
    "diagnostics-fault died dis disagree display disruptiontarget distnetworkerror diststoreerror dns docker "
    "document document_lines documents dozen driver-too-old drop duplicate-gpu duplicate_gpu e earlier early efa "
    "eks elements_in elements_out else empties emptydir ended ends_early enginecore enqueue enqueue.cc env-differs "
    "env-invalid-value env-legacy-value env-risky env_rejected eoferror equally errimageneverpull errimagepull "
    "error_propagated every evicted exceededgraceperiod exception exceptions excerpt exclude exec exhausted "
    "expansion expectation expectation-failed expectation-unknown experiment experiment_name f fabric-manager-down "
    "facts failedattachvolume failedcreatepodsandbox failedmount failedscheduling failures falls false far far-nic "
    "fast fastrak fault faulted fe80 feed fell few fields filtered finds fine fine_grain_pcie finishedat firewall "
    "first_bus fits fixed flap flight float16 float32 float64 float8e4m3 float8e5m2 following follows forces "
    "forever form forward frames framework ftruncate fuse g g7e g7e.12xlarge g7e.24xlarge g7e.48xlarge gave gbit "
    "gbs gdr-disabled gdr_disabled gencode generation get_device getaddrinfo gets getsockname gi gib "
    "gid-table-change gids give gives global global_rank glued goes gone good gpu-to-gpu gpu0 gpu_faulted "
    "gpu_unsupported gpudirect-tcpx gpudirecttcpx grain graph-capture graph-xml graph_broken gre group.cc gt guess "
    "guest_config_checker guest_config_checker.cc guestconfigchecker guid h100 h20 h20-3e h200 h800 handshake_refused "
    "hang hangs hbm3 headerlog headless heartbeat here hex hfi1 "
    "holds host-ipc host-network host_hash host_setting_missing hostdev hostipc hostnetwork hosts how hugepages "
    "hugepages-2mi hung i_cv i_p99 ib-connect-failed ib-link-flap ib-memory-error ib-no-device ib-timeout "
    "ib_async_event ib_completion_failed ib_device_failed ib_device_unusable ib_devices_incompatible "
    "ib_rails_mismatched ib_router_lid_missing ibdev2netdev ibext ibstat ibv_alloc ibv_alloc_pd ibv_create "
    "ibv_get_async_event ibv_get_device_list ibv_modify_qp ibv_open_device ibv_query_device ibv_query_gid "
    "ibv_query_port ibv_reg ibvwrap identity image imagepullbackoff imex implemented in_place in_place_per_iter "
    "incidents infiniband init-incomplete init.cc initcontainerstatuses initialisation initialisations initialise "
    "initialised input_sizes instance_type instances insufficient int32 int64 intel interface_not_found "
    "internal-error interrupt intra-host-network invalidimagename involvedobject io iommu iommu-settings iov iovcap "
    "iovctl iovsta ip6tnl ipc_lock ipcsocket ipvs is_p2p itemise iter itself job_cancelled joins json judge just "
    "k8s k8s-rdma-shared-dev-plugin k8s.container.name k8s.pod.name kept kernel.numa_balancing ki kib killed know "
    "known knows kube "
    "kube-ipvs kube-proxy kubectl kubernetes laneerrstat lanes last_bus laststate late late-rank latest latin1 "
    "launcher lazy leader leaves left left_out legend levelname libraries librccl libvirt lines lines_before "
    "link-count link-local link_speed listens lists little lmc lnkcap lnkcap2 lnkctl lnkctl2 lnkctl3 lnksta lnksta2 "
    "lo locked locked-memory log log-head-missing logging logs look loopback lower lspci lvl lxc lxcbr lxd lxdbr m "
    "machines making managedfields management manifest masking master matters max_speed max_width mbit meant "
    "measured measurement measurements median medium members memlock memlock-limit memory_killed memoryerror "
    "mention metal mi mib micro mig migration minute misaligned misses missing_ranks mlnxnic mlx5dv_reg_dmabuf_mr "
    "mnnvl-failed mnnvl_failed modules monitor mostly mountpath mounts mpi mpi_abort multiprocessing n_ranks "
    "namespace naming nccl-analyze nccl-analyze.summary nccl-tests nccl-too-old-for-gpu nccl_buffsize "
    "ib_plugin.c nccldevcomm nvmldevicegethandlebypcibusid p2p_plugin.c sharp_plugin.c ucx_plugin.c "
    "ncclallreduce ncclbroadcast ncclreduce opkernel alt_rsmi.cc blackwell hiperrorillegaladdress "
    "hiperrorinvaliddevice hiperrorinvalidhandle hiperrorinvalidkernelfile hiperrorinvalidvalue "
    "hiperrorlaunchfailure hiperrornobinaryforgpu hiperrornodevice hiperrornotsupported hiperroroutofmemory horovod "
    "horovodallgather horovodallreduce horovodbroadcast pro rayworker unrelated "
    "nccl_cumem_enable nccl_debug nccl_debug_file nccl_debug_subsys nccl_error_raised nccl_graph_dump_file "
    "nccl_graph_file nccl_hostid nccl_ib_cuda_support nccl_ib_disable nccl_ib_gdr_level nccl_ib_gid_index "
    "nccl_ib_timeout nccl_ignore_cpu_affinity nccl_lines nccl_ll_threshold nccl_net_gdr_level nccl_net_gdr_read "
    "nccl_net_ofi_create_plugin nccl_net_ofi_init nccl_ofi_init nccl_p2p nccl_p2p_disable nccl_p2p_level "
    "nccl_p2p_read_enable nccl_proto nccl_pxn_disable nccl_ras_addr nccl_rings nccl_runtime_connect "
    "nccl_shm_disable nccl_socket_family nccl_socket_ifname nccl_thread_thresholds nccl_topo_dump_file "
    "nccl_topo_file nccl_tree_threshold nccl_uid_stagger_rate nccl_version ncclib ncclinternalerror "
    "ncclinvalidusage ncclras ncclremoteerror ncclsystemerror ncclunhandledcudaerror near nearest neighbours "
    "net-plugin-failed network-differs network_missing networks newest newest_first nic-count-differs nic-fatal "
    "nic-port-down nic-resources-exhausted nic_counts_mismatched no-interface no-network nobody node-local "
    "nodeaffinity nodelocaldns nodename nodenotready nodeshutdown non-fatal none.so nthread numaid numbered numbers "
    "nv nvb nvidia nvidia-peermem nvidia-smi nvidia-smi-topo nvidia-topologyd nvidia.com nvlink-unused nvshmem "
    "nvshmem-failed main_nvshmem ibgda.cpp ibdevx.cpp nvlinks "
    "nvls-failed nvls_failed nvls_tree nvs nwrong o offers ofi_rdma_init ofi_request_failed ofi_sendrecv_init often "
    "once one-gpu-per-host ones only-if-failed onto oom oom-kill oom_kill oomkilled oomkilling open_device opening "
    "opens orderly ordinal other_warning out-of-memory out-of-place out_of_bounds out_of_memory out_of_place "
    "out_of_place_per_iter outofmemoryerror output_sizes overridden overwrite own p p2c p2p-disabled p2p-failed "
    "p2p.cc p2p_disabled_nvlink p2p_disabled_pcie p2p_failed p2p_perf p3 p3.16 p3.8 p3dn p4d p4d.24xlarge p4de "
    "p4de.24xlarge p5 p5.48xlarge p5.4xlarge p5e p5e.48xlarge p5en p5en.48xlarge p6 p6-b200.48xlarge p99_us packets "
    "page pairs panic parents parted partial-input pba pcie-link-degraded pct peer-closed peer-to-peer "
    "per_process_max_times_us perf performed permission permitted pg_config pg_status phb phrase phrase_seen pi "
    "piece pieces pix places platform_init pod pod-id-link pod_name podname pods podscheduled port-counts ports "
    "posix_fallocate preempted prefetchable pressure print printed prints privileged process-died process_ended "
    "process_group processgroupnccl processgroupnccl.cpp prod product profiling_name program_raised program_texts "
    "programs propagated protocols prove proxy_failed purpose py py-spy pytorch query_device queues quotes "
    "rail-mismatch rails raise raised ranks-not-started ras_peer_dead ras_timed_out ras_version_mismatched rate ray "
    "ray.exceptions.actordiederror ray.exceptions.rayactorerror ray.exceptions.raytaskerror "
    "ray.exceptions.workercrashederror rayactorerror raytaskerror reach reaches reaching read-only read_as read_at "
    "reads realtime realtime_timestamp reason receives recorder recordings recovers redacted reduce_scatter_base "
    "refused "
    "refuses reg_mr region register_mr registrations rejects replaces reporting reports reqredir resizable "
    "resources.limits resources.requests responding retried reversed right ring-broken risky rnr ro roce rom "
    "rootcap rootcmd rootctl rootsta route router row run runcontainererror runs said say says scheduled schema "
    "searching secondary security securitycontext seen sees segfault segmentation separate service_closed several "
    "severe shared_memory_failed shm-instead-of-p2p shm-too-small show shown shows signalexception sit sizelimit "
    "slow-init-phase slow-peer slower slows sltcap sltctl sltsta sm sm_120 sn socket-fallback "
    "socket-handshake-mismatch socket.cc socket_failed spans spec speed_inter speed_intra speedinter speedintra spy "
    "sr sr-iov srcvalid ssh stagger stalls stamps stands start-up start_time stderr stdout stops straggler stuck "
    "subordinate subprocess subprocess.calledprocesserror subsys subsystem such sum suspected suspects switched "
    "switches sxid sxm sxm4 symptom sys tailscale taintmanagereviction take taken talk tclass tcp-only-network tcpx "
    "tcpx-timeout tcpxo tell template tensor tests text texts themselves then these those though threw through "
    "throwing ti tib timeout_ms times times_us timestamp told took tool toolchain topology-contradicts "
    "topology-detect-failed topology-file-invalid topology-overridden topology-xml topology_file_failed topologyd "
    "torch torch.distributed.distnetworkerror torch.distributed.diststoreerror "
    "torch.distributed.elastic.multiprocessing.api.signalexception "
    "torch.distributed.elastic.multiprocessing.errors.childfailederror torchrun torn traceback traffic trained "
    "trained_at troubleshooting tun tunl tunnel type_inter type_intra typeinter typeintra types udp uemsk uesta "
    "uesvrt uint32 uint64 ulimit uncorrectable undeliverable uneven uneven-nodes unexpectedadmissionerror unhandled "
    "unless unreachable unreadable unresponsive unspecified unstarted unstarted-pod unusable userspace vanished "
    "vector vendor_network_warned verbose version-mismatch version_mismatched very veth vf vfs vga violation virbr "
    "virtualization virtualtopology virtualtopology.xml vlan volume volumemounts volumes vpc vpc.amazonaws.com vpn "
    "waited waits warned warns watchdog-timeout way ways well wg what whatever where whether whole whose why "
    "wireguard word words worked workercrashederror workers world-split world_mismatched would wq wqe_delayed "
    "writer writers writes written wrong-results wrong-type xx zhaoxin ";

/// Loggers and launchers print these names of packages and folders, file extensions, and words.
constexpr std::string_view of_logs =
    "__cxx11 a10 a10g a30 a40 a6000 aarch64 aarch64-linux-gnu adj agg algobw amazon amd64 anaconda anaconda3 "
    "annotation anon anon-rss app apps apr archive arm64 aspm aug authenticamd av avx2 aws-ofi-rccl b300 back-off "
    "backoff bash basic bazel bin bld body bond bonded break bridges broadcasted broadcom bthread bug build_src "
    "busmaster bytesprocessedpersecond cases catch cgroup char char_traits checkforncclerrorsinternal "
    "cloudflarewarp cm cmpltredir cnt co collnetchain collnetdirect comminit component conda conf.d configure "
    "configuring confirm container.name containerid corporation corrupt couldnt crashloopbackoff crosslink csrc "
    "cudacuda cudaipc cudawrap cuflushgpudirectrdmawrites cuh cvmfs cxi death defaultmode deferred develop "
    "directtrans dirty discovered dist dist-packages div docs documentation downgraded downstream drs dshm dtypes "
    "dumped dumps efs egressctrl em en entire envs ephemeral epoch epyc erdma established etc examples excepthook "
    "express extern extlibs fallen familyid faulthandler fc feb fid file-rss firsttimestamp fix flannel float fork "
    "frame fri fsx gaierror gb10 gb200 gb300 gcc geforce gen generic genuineintel gh100 gh200 gmt gnu gpfs gpt "
    "grad grad_norm gtx guessing hdrs healthy herror heterogeneous hipify hit home hpcx hpp hsn0 html i40iw0 ibnet "
    "ibv_reg_mr_iova2 ibverbs importfromshareable include includes inconsistency indicate inittransportsrank "
    "inspect instablity install interconnect internode invalidargument invalidusage ipynb iroot iters jan js jul "
    "jun keyboardinterrupt kil killer killing knowledge kubeflow l4 l40 l40s labels lasttimestamp ld-linux-x86-64 "
    "leak learning_rate lib64 libc10 libcuda libgcc_s libm libnccl-env libnccl-gin libnccl-net libnccl-profiler "
    "libnccl-tuner libpthread librccl-net librccl-tuner libstdc libtorch libtorch_cpu libtorch_cuda libtorch_python "
    "linkup linux lmdeploy lnxsybus lnxsystm localgids localhost logmessage logstreamname loss lr lsi lustre "
    "mainthread major mar mechanism mi100 mi210 mi250 mi250x mi300a mi300x mi325x mi355x miniconda "
    "miniconda3 minor misc mlx mnt mocknccl modelid mon msi multiproc nan nanos nccl-headers nccl-library "
    "nccl-rdma-sharp-plugins ncclbfloat16 ncclcollnetplugin ncclcomminitall ncclcomminitrankconfig "
    "ncclcomminitrankdev ncclcomminitrankfunc nccldebuglogger ncclenvdefault ncclenvplugin ncclfloat16 ncclfloat32 "
    "ncclfloat64 ncclgetversion ncclginplugin ncclibtest ncclint32 ncclint64 ncclint8 ncclmax ncclmin ncclnetplugin "
    "ncclnetplugininit ncclnvlssetup ncclp2pimportshareablebuffer ncclp2pschedule ncclprod ncclprofiler "
    "ncclprofilerplugin ncclproxyprogress ncclresult ncclrmaplugin nccltunerplugin ncclutils ncclx-proxy ncv4-topo "
    "ndv4-topo ndv5-topo nfs ngpus nil norm normal nov nroots numel nvidia-imex-ctl nvlsallocatemem nvlstree "
    "nvmlwrap occurs oct odl ofi-nccl oom_score_adj opt opts opty org orted our p100 p2pchunksize p2pnchannels "
    "p2pnchannelsperpeer p3dn-24xl-topo p4d-24xl-topo p4de-24xl-topo p5-48xl-topo package packages packaging "
    "parallel pat pathname pe pgtables pm potential pragma prematurely primaryip profiles prog projected provi "
    "provider_filter pt pulling pyi pynccl python python2 python3 pyx quadro quantity raylet raytask raytrainworker "
    "rayworkervllm rayworkerwrapper rdmav34 reachable readonly rec recent reflects remotegids repeated "
    "reregistration resourceversion restartcount resulttype retimer retimers retired rft rlimit rlimit_memlock rpms "
    "rss rtx rxm rxr sat sbatch sbin sec secrets selflink sep sept serviceaccount services shard sharedinit "
    "shmem-rss shmutils sigkill sigsegv silence site site-packages smp soc software source sourcelocation spack "
    "spcx speccycle speeds src sse4 sse4.2 stable stalled startedat stat storage subsequent sun sup supplying sxm2 "
    "sxm3 sxm5 systemexit t4 taking tar tc tcpxcomm tcpxresult tesla textpayload third_party thirdparty thu "
    "timegenerated timeunixnano titan tmp topofile total-vm train traits transblk traversing triggered troubleshoot "
    "tue turbomind typically ubuntu ucx-plugin un unexpectedly unschedulable unset upi upstreamfwd usr utc utils "
    "uverbs v100 validation venv versus vice virtualenv vllm vllmworkerprocess vmbus warmup watch we wed workerdict "
    "workerwrapper workspace x86_64-linux-gnu xeon xlarge xp ";

/// These are exceptions of Python and well-known libraries, signals, and levels.
constexpr std::string_view of_errors =
    "abortederror actorunavailableerror aiorpcerror apiexception arithmeticerror assertionerror "
    "asyncenginedeaderror attributeerror authenticationerror backendcompilerfailed bad_alloc bad_cast "
    "bad_function_call baseexception baseexceptiongroup blockingioerror botocoreerror brokenexecutor "
    "brokenprocesspool buffererror byteswarning cancellederror checkpointerror childprocesserror "
    "chunkedencodingerror clienterror commerror compilationerror compiletimeassertionfailure compressedtensorserror "
    "connectionabortederror connectionerror connecttimeout cudadrivererror cudaruntimeerror cupyerror databaseerror "
    "deadlineexceedederror deepspeedexception deprecationwarning distbackenderror disterror distqueueemptyerror "
    "distributederror domain_error encodingwarning endpointconnectionerror enginedeaderror enginegenerationerror "
    "entrynotfounderror environmenterror exceptiongroup failedpreconditionerror fileexistserror filenotfounderror "
    "floatingpointerror future_error futurewarning gatedrepoerror generatorexit gettimeouterror hfhubhttperror "
    "hfvalidationerror httperror importerror importwarning indentationerror indexerror inductorerror integrityerror "
    "internalerror interruptederror invalid_argument invalidargumenterror invalidstateerror ioerror "
    "isadirectoryerror jaxruntimeerror jsondecodeerror keyerror length_error linalgerror localrayletdiederror "
    "logic_error lookuperror maxretryerror misconfigurationexception mlflowexception modulenotfounderror "
    "mpi_finalize mpi_init mpierror nameerror ncclerror newconnectionerror nocredentialserror nodediederror "
    "notadirectoryerror notimplementederror objectlosterror operationalerror oserror out_of_range overflowerror "
    "parsererror partialcredentialserror pendingdeprecationwarning permissionerror processexitedexception "
    "processlookuperror processraisedexception programmingerror protocolerror proxyerror queueempty queuefull "
    "range_error rayerror raysystemerror readtimeout readtimeouterror recursionerror referenceerror regex_error "
    "rendezvousclosederror rendezvousconnectionerror rendezvouserror rendezvoustimeouterror repositorynotfounderror "
    "requestexception resourceexhaustederror resourcewarning rpcerror runtime_error runtimeerror runtimewarning "
    "safetensorerror sigabrt sigbus sigchld sigfpe sighup sigill sigint signals.sigabrt "
    "signals.sigbus signals.sigkill signals.sigsegv signals.sigterm sigpipe sigquit sigterm sigusr1 sigusr2 "
    "sslerror statuscode stopasynciteration stopiteration subprocesserror syntaxerror syntaxwarning system_error "
    "systemerror taberror taskcancellederror timeouterror timeoutexpired torchruntimeerror trainingfailederror "
    "typeerror unavailableerror unboundlocalerror unicodedecodeerror unicodeencodeerror unicodeerror "
    "unicodetranslateerror unicodewarning unimplementederror unknownerror urlerror usageerror userwarning "
    "valueerror xlaruntimeerror zerodivisionerror ";

/// Error messages use these English words.
constexpr std::string_view of_english =
    "accessed according action actual actually against assertion attention background backtrace behavior binary "
    "blocked "
    "caller calling cancel canceled cast causes checked cleared codes column commands compiler completely condition "
    "constructor content contiguous copied cores correct correctly crash cycle deadlock deallocate debugging delete "
    "desired destination destructor dimension dimensions directly disconnect discovery disk divisible doing don "
    "drivers "
    "dtype duration enter enum equal evaluate ever exact example executable executed executing execution executor "
    "expect "
    "experimental expired expression extension filename filesystem fill finalized flatten follow forget freed frozen "
    "gathering generator going guard hasn haven having heap help hierarchy hold hook however immediately incorrectly "
    "indicates inputs integer interpreter interrupted invoke isn issues item keys launching layers layout leaked "
    "let linked loader logger makes managing manual maybe means metric models module monitoring moved much mutex "
    "native "
    "objects observed occurred optimizer optional original otherwise outputs overhead owner packet passing pending "
    "period pickle ping position possibly prepare preserve prevent previously problem procedure processed profile "
    "public push queued rather raw reader ref regular reject related reload removal rename rendezvous reopen repeat "
    "replaced replica reserve reserved resolved respect respond restart restarted resulted returns round rpc rule "
    "runner save saving scope script second section secure seed seem select sent servers session shall shape "
    "shouldn shut signaled similar soon spawn specific stage standard statement statistics stdin stored strict "
    "submit suggest sure suspect synchronization synchronize synchronized synchronous syntax systems tasks tensors "
    "term therefore three throw thrown thus timeouts timer tip tokens tracing trainer transient tuple turn "
    "undefined under unfinished uniform unit unload unlock unregister update updated upgrade upon usually utility "
    "utilization validate wake warm warnings weight weights who wire wish won wouldn wrapped yaml yes zip ";

/// These are texts and names of errors of CUDA, libraries, and collectives of PyTorch.
constexpr std::string_view of_cuda =
    "_allgather_base _reduce_scatter_base accelerate aten autograd c10 c10d c10d_store capturing cdp clients "
    "contained cooperative cublas cuda_launch_blocking cuda_visible_devices cudaerrorassert "
    "cudaerrordevicesunavailable cudaerroreccuncorrectable cudaerrorillegaladdress cudaerrorinitializationerror "
    "cudaerrorinvaliddevice cudaerrorinvalidvalue cudaerrorlaunchfailure cudaerrormemoryallocation "
    "cudaerrornodevice cudaerrornotsupported cudaerrorpeeraccessunsupported cudaerrorsystemdrivermismatch "
    "cudaerrorsystemnotready cudaerrorunknown cudnn cufft cupy curand cusolver cusparse cutlass data_parallel ddp "
    "deepspeed direction elastic_launch filestore fsdp gdrdrv ghz hashstore hipblas horovod hydra isolated jax "
    "jaxlib jit keras lightning megatron memcpy mhz miopen mpi4py mpich mps mvapich mxnet nixl nn numba nvrtc "
    "nvshmem nvswitches nvtx ompi openmpi operating orte paddle paddlepaddle pipeline_parallel pmix prefixstore "
    "processgroup "
    "processgroupgloo processgroupwrapper prte ptx pytorch_lightning sacct salloc slurm slurmd squeue stub surface "
    "tb tcpstore tensor_parallel tensorflow texture torch_use_cuda_dsa transformers triton ucc ucp unjoined "
    "unmapped unmatched ";

/// PyTorch prints these words about collectives that it compares, and about GPUs for which it was not built.
constexpr std::string_view of_fingerprints =
    "collectivefingerprint installation sequencenumber tensordevicetypes tensordtypes tensoroptions "
    "tensoroptionsvector ";

/// A dynamic loader names these functions of NCCL 2.4 and later when they are missing.
constexpr std::string_view of_functions =
    "ncclalltoall ncclcommabort ncclcommderegister ncclcommfinalize ncclcommgetasyncerror ncclcommgetuniqueid "
    "ncclcommgrow ncclcomminitrankconfig ncclcomminitrankscalable ncclcommmemstats ncclcommregister ncclcommresume "
    "ncclcommrevoke ncclcommshrink ncclcommsplit ncclcommsuspend ncclcommwindowderegister ncclcommwindowregister "
    "ncclgather ncclgetlasterror ncclgroupsimulateend ncclmemalloc ncclmemfree ncclputsignal ncclrecv "
    "ncclredopcreatepremulsum ncclredopdestroy ncclscatter ncclsend ncclsignal ncclwaitsignal ncclwingetuserptr ";

/// NCCL prints these events of poll(), and DeepSpeed the branch of its build.
constexpr std::string_view of_events = "git-branch pollerr pollhup pollin pollnval pollout ";

/// The tools of RDMA devices, df, lsmod, nvidia-smi and shells print these keys, states and columns.
constexpr std::string_view of_shell =
    "active_mtu armed avail board_id df gid grep hca_id hw_ver ibdev2netdev ibstatus ibv_devinfo ipv4 kbytes "
    "link_layer lsmod max_mtu n_gids_found netdev node_guid nvidia_peermem nvidia_uvm peermem phys phys_port_cnt "
    "phys_state physical_state polling port_active port_armed port_down port_init port_lid port_lmc rdma shm "
    "shm_available shm_size show_gids sleep sm_lid soft subnet_prefix sys_image_guid tmpfs units ver ";

/// Words in messages of other programs beside NCCL: servers, launchers, the kubelet, NVSHMEM and stacks of a crash.
constexpr std::string_view of_neighbours =
    "_ipc_utils _symmetricmemory _symmetricmemory.rendezvous ancdata coordination coordination_service cuda_ipc "
    "cudaerror_t "
    "cudaerror_t.cudaerrorinvaliddevice cudaerrorinvaliddevice "
    "cudart cudart_check dct deep_ep deepep ending eps flashinfer ibgda ibrc initialize_ub kubelet libuv llm macvlan "
    "multiprocessing multus nccl nccl.ncclcommwindowregister ncclcommwindowregister nvshmem occupied plugin psm "
    "rasmsghandlepeersupdate rasthreadmain rendezvous sandbox self.nccl.ncclcommwindowregister sglang "
    "store_based_barrier_key store_based_barrier_key:1 symm_mem symmdevicememory symmetricmemory team tensorrt "
    "tensorrt-llm tensorrt_llm try "
    "ub_skipmc unbalanced unlimited use_libuv worker_count world_size ";

/// The names of settings consist of these words.
constexpr std::string_view of_settings = "adaptive checks cuda_alloc_conf dsa expandable fi gloo omp retry_cnt sl ";

}  // namespace

std::span<const std::string_view> harmless_words() {
  static constexpr std::array<std::string_view, 11> all = {of_readers, of_logs,         of_errors,    of_english,
                                                           of_cuda,    of_fingerprints, of_functions, of_events,
                                                           of_shell,   of_settings,     of_neighbours};
  return all;
}

}  // namespace nccl_analyze::redact
