#include "redact/paths.h"

#include <algorithm>
#include <array>
#include <string>

#include "redact/bytes.h"
#include "text/word_list.h"

namespace nccl_analyze::redact {

namespace {

/// Many systems and packages have these folders.
constexpr WordList folders{
    "usr lib lib64 lib32 opt dev shm proc sys etc var tmp bin sbin share include local run log logs home users root "
    "mnt nfs lustre gpfs fsx efs cvmfs scratch data projects project work workspace shared export media src build "
    "cache .cache spool self fd task driver class bus devices module modules debug site-packages dist-packages torch "
    "python cuda nvidia nccl rccl rocm hip amazon efa openmpi mpi ompi hpcx ucx sharp aws-ofi-nccl aws-ofi-rccl "
    "ofi-nccl nccl-tests rccl-tests libfabric infiniband net pci cpu gpu numa node x86_64-linux-gnu "
    "aarch64-linux-gnu linux linux-gnu x86_64 aarch64 conda anaconda anaconda3 miniconda miniconda3 miniforge "
    "miniforge3 mambaforge envs env venv .venv base virtualenv pytorch csrc distributed c10d c10 aten autograd "
    "hipify transport misc graph plugin plugins tests test examples docker containers kubelet pods slurm slurmd "
    "nvidia-topologyd tcpx tcpxo gpudirecttcpx targets stubs nvlink gib topo config conf doc docs"};

/// The version of a package may follow these folders.
constexpr std::string_view versioned[] = {
    "python",       "cuda",         "rocm",      "hip",        "nccl",       "rccl",      "openmpi",    "mpi",
    "ompi",         "hpcx",         "ucx",       "sharp",      "libfabric",  "efa",       "torch",      "pytorch",
    "conda",        "anaconda",     "anaconda3", "miniconda",  "miniconda3", "miniforge", "miniforge3", "mambaforge",
    "aws-ofi-nccl", "aws-ofi-rccl", "ofi-nccl",  "nccl-tests", "rccl-tests"};

/// The files and modules of these packages are public.
constexpr std::string_view packages[] = {
    "torch",      "torchrun",   "torchvision",  "torchaudio",   "numpy",      "vllm",      "ray",
    "deepspeed",  "megatron",   "lightning",    "transformers", "accelerate", "horovod",   "jax",
    "jaxlib",     "tensorflow", "cupy",         "sglang",       "nvidia",     "apex",      "transformer_engine",
    "flash_attn", "triton",     "multiprocess", "datasets",     "peft",       "trl",       "pytorch_lightning",
    "mpi4py",     "scipy",      "pandas",       "xformers",     "paddle",     "colossalai"};

/// Extensions of sources, libraries and settings, whose names are public. Any other file may have the name of its
/// owner.
constexpr std::string_view file_ends[] = {".cc", ".cu", ".cpp", ".h",    ".hpp", ".cuh",
                                          ".c",  ".so", ".xml", ".conf", ".cfg"};

/// The operating system creates the files in these folders.
constexpr std::array<std::string_view, 4> of_system = {"/sys/", "/dev/", "/proc/", "/usr/local/cuda"};

/// Images of clouds and containers have these files and folders.
constexpr WordList of_images{
    "/opt/microsoft/ncv4/topo.xml /opt/microsoft/ncv4/graph.xml /opt/microsoft/ndv2/topo.xml "
    "/opt/microsoft/ndv4/topo.xml /opt/microsoft/ndv5/topo.xml /opt/microsoft/ndv4-topo.xml "
    "/opt/microsoft/ndv5-topo.xml /opt/hpcx/nccl_rdma_sharp_plugin/lib/ /opt/hpcx/nccl_spectrum-x_plugin/lib/ "
    "/opt/hpcx/ucx/lib/ucx/ /opt/hpcx/sharp/lib/ /opt/hpcx/hcoll/lib/ /opt/amazon/ofi-nccl/share/aws-ofi-nccl/xml/ "
    "/opt/amazon/aws-ofi-nccl/share/aws-ofi-nccl/xml/ /opt/aws-ofi-nccl/share/aws-ofi-nccl/xml/"};

bool is_of_path(char c) {
  return (is_name_byte(c) && !is_other_letter(c)) || c == '/' || c == '~' || c == '$' || c == '\\' || c == '+' ||
         c == '%' || c == '@';
}

/// Whether a word is a known folder with a version, `python3.10`, `cuda-12.4`, or with the number of a disk, `data2`.
/// Longer numbers are those of a user or a project.
bool is_folder_with_number(std::string_view word) {
  constexpr std::size_t most_of_version = 5, most_of_disk = 2;
  std::size_t end = word.size();
  while (end > 0 && (is_digit(word[end - 1]) || word[end - 1] == '.')) --end;
  const std::string_view name = word.substr(0, end > 0 && word[end - 1] == '-' ? end - 1 : end);
  const std::size_t most = is_among(versioned, name) ? most_of_version : most_of_disk;
  return digits_in(word.substr(end)) <= most && is_among(folders, name);
}

/// Returns the first folder of a relative path after each `..` was followed; `word` if no folder is left, and nothing
/// if the path leaves the folder where it begins.
std::string_view first_folder(std::string_view path, std::string_view word) {
  std::size_t depth = 0;
  std::string_view first = word;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && depth == 0) return {};
    if (part != ".." && depth == 0) first = part;
    depth = part == ".." ? depth - 1 : depth + 1;
  }
  return depth == 0 ? word : first;
}

/// Whether a word stands in a folder of a known package, in which everything is public.
bool is_in_package(std::string_view folder, std::string_view word) {
  constexpr std::array<std::string_view, 2> leads = {"/site-packages/", "/dist-packages/"};
  constexpr std::size_t most_digits = 3;
  if (digits_in(word) > most_digits) return false;
  return std::ranges::any_of(leads, [&](std::string_view lead) {
    const std::size_t at = folder.rfind(lead);
    return at != folder.npos && is_among(packages, first_folder(folder.substr(at + lead.size()), word));
  });
}

/// Whether a word is a name that the kernel gives to hardware: the domain of a PCI bus (`0000`, `pci0001`), a device of
/// the firmware (`PNP0A03`), or a file about one.
bool is_of_hardware(std::string_view word) {
  constexpr std::string_view files[] = {"max_link_speed", "max_link_width", "current_link_speed", "current_link_width",
                                        "local_cpus",     "numa_node",      "subsystem_vendor",   "subsystem_device"};
  if (is_among(files, word)) return true;
  constexpr std::string_view kinds[] = {"", "pci", "pnp", "acpi"};
  constexpr std::size_t size = 4;
  return std::ranges::any_of(kinds, [&](std::string_view kind) {
    const bool has_digits = word.starts_with(kind) && end_of(word, kind.size(), is_hex) == word.size();
    const std::size_t digits = word.size() - std::min(kind.size(), word.size());
    return has_digits && (digits == size || (kind != kinds[0] && digits == size + 1)) && is_digit(word[kind.size()]);
  });
}

}  // namespace

std::string_view folder_before(std::string_view line, std::size_t begin) {
  constexpr std::size_t longest = 512;
  if (begin == 0) return {};
  const char sign = line[begin - 1];
  if (sign != '/' && sign != '~' && sign != '\\') return {};
  std::size_t from = begin;
  while (from > 0 && begin - from < longest && is_of_path(line[from - 1])) --from;
  // Skips each x before the path, which replaces a byte that is not UTF-8.
  while (from < begin && line[from] == 'x' && line.find_first_not_of('x', from) == line.find('/', from)) ++from;
  // Below /sys/, names may have colons: `LNXSYBUS:00`.
  constexpr std::string_view kernel = "/sys/";
  const std::size_t sys = line.substr(0, begin).rfind(kernel);
  if (sys < from && (sys == 0 || !is_of_path(line[sys - 1])) &&
      end_of(line, sys, [](char c) { return is_of_path(c) || c == ':'; }) >= begin)
    return line.substr(sys, begin - sys);
  const std::string_view folder = line.substr(from, begin - from);
  const bool is_of_windows = folder.starts_with('\\') && from > 1 && line[from - 1] == ':' && is_letter(line[from - 2]);
  if (from > 0 && line[from - 1] == '<') return {};  // `</system>`
  const bool is_absolute = folder.starts_with('/') || folder.starts_with('~') || folder.starts_with('$');
  const bool is_behind_login = folder.find('@') != folder.npos;  // `://user:password@host/path`
  return is_absolute || is_behind_login || is_of_windows || from + longest == begin ? folder : std::string_view();
}

bool is_in_path_of_image(std::string_view folder, std::string_view rest, std::size_t size) {
  constexpr std::ptrdiff_t fewest_folders = 3;
  const std::size_t end = end_of(rest, 0, is_of_path), longest = folder.size() + size;
  const std::string path = std::string(folder).append(rest.substr(0, end));
  const bool may_be_cut = end == rest.size() && std::ranges::count(path, '/') >= fewest_folders;
  return std::ranges::any_of(of_images, [&](std::string_view known) {
    return longest <= known.size() && (path.starts_with(known) || (may_be_cut && known.starts_with(path)));
  });
}

bool may_stay_in_path(std::string_view folder, std::string_view word, bool is_harmless) {
  constexpr std::size_t most_digits = 2;
  while (!word.empty() && is_separator(word.back())) word.remove_suffix(1);
  if (word.find_first_not_of('.') == std::string_view::npos || is_in_package(folder, word)) return true;
  constexpr std::string_view kernel = "/sys/";
  if (folder.starts_with(kernel) && is_of_hardware(word) && !first_folder(folder.substr(kernel.size()), word).empty())
    return true;
  if (is_among(folders, word) || is_folder_with_number(word)) return true;
  constexpr std::size_t most_of_version = 5;
  const bool has_points = word.find('.') != word.npos && word.find_first_not_of("0123456789.") == word.npos;
  if (has_points) return is_harmless && digits_in(word) <= most_of_version;
  if (digits_in(word) == word.size()) return word.size() <= most_digits;
  const auto begins = [&](std::string_view begin) { return folder.starts_with(begin); };
  const bool is_of_system = std::ranges::any_of(of_system, begins) && folder.find("..") == folder.npos;
  const auto ends = [&](std::string_view end) { return word.ends_with(end) || word.find(".so.") != word.npos; };
  return is_harmless && (is_of_system || std::ranges::any_of(file_ends, ends));
}

std::size_t length_of_segment_kind(std::string_view folder, std::string_view word) {
  constexpr std::string_view shared_memory = "/dev/shm/", begin = "nccl-";
  constexpr std::array<std::string_view, 5> kinds = {"shm-", "recv-", "send-", "proxy-", "ring-"};
  if (!folder.ends_with(shared_memory) || !word.starts_with(begin)) return 0;
  std::size_t at = begin.size();
  for (const std::string_view kind : kinds)
    if (word.substr(at).starts_with(kind)) at += kind.size();
  return at;
}

}  // namespace nccl_analyze::redact
