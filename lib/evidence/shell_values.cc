// Reads values of a host in the output of shell commands: the limit on locked memory, the size of /dev/shm, loaded
// kernel modules, and what nvidia-smi says where it finds no GPU or driver. Ray prints the size of /dev/shm, too.

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/wording.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::int64_t kib = 1024;

/// A document of one value: the line with the value, or a command and the line below it.
class ValueDocument : public MachineDocument {
 public:
  using MachineDocument::MachineDocument;
  /// The output of a command begins in the line below it.
  std::size_t max_foreign_lines() const override { return 0; }

 protected:
  void add(std::string_view what, std::int64_t number, SourceQuote shown, Facts& facts) {
    begin(facts);
    facts.emplace_back(MachineValueListed{.what = what, .number = number}, std::move(shown));
  }
};

/// Whether `text`, which stands before a command, is a shell's prompt: empty, or one that ends with its usual sign.
/// `+` is that of `set -x`.
bool is_prompt(std::string_view text) {
  constexpr std::size_t longest = 200;
  text = trimmed_end(text);
  return text.empty() || (text.size() <= longest && std::string_view("$#%>+").find(text.back()) != text.npos);
}

/// Reads a limit in units of `unit` bytes, or `unlimited`, as a number of bytes or -1.
bool read_limit(std::string_view word, std::int64_t unit, std::int64_t& bytes) {
  if (word == "unlimited") {
    bytes = -1;
    return true;
  }
  constexpr std::int64_t most = std::int64_t{1} << 50U;
  if (!read_number(word, bytes) || bytes < 0 || bytes > most) return false;
  bytes *= unit;
  return true;
}

constexpr std::string_view limit_command = "ulimit -l";

/// Reads the row of `ulimit -a`, `max locked memory (kbytes, -l) 64`, or that of /proc/self/limits, `Max locked memory
/// 65536 65536 bytes`, of which the first number is in force.
bool read_limit_row(std::string_view line, std::int64_t& bytes) {
  const auto words = words_of(line);
  if (words.size() == 6 && words[0] == "max" && words[3] == "(kbytes," && words[4] == "-l)")
    return read_limit(words[5], kib, bytes);
  return words.size() == 6 && words[0] == "Max" && words[5] == "bytes" && read_limit(words[3], 1, bytes);
}

class Memlock : public ValueDocument {
 public:
  explicit Memlock(std::string_view first_line) : ValueDocument("ulimit", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    std::int64_t bytes = 0;
    if (read_limit_row(line, bytes)) {
      add("memlock", bytes, here(), facts);
    } else if (command_.line == 0) {
      command_ = here();
      return true;
    } else if (read_limit(trimmed(line), kib, bytes)) {
      add_piece(command_, here());
      add("memlock", bytes, std::move(command_), facts);
    } else {
      return false;
    }
    end(facts);
    return true;
  }

 private:
  SourceQuote command_;
};

/// Reads a size as df prints it: `64M`, `1.9T`, or a number of KiB. Returns -1 for any other text.
std::int64_t df_size(std::string_view text) {
  constexpr std::string_view units = "KMGTP";
  const std::size_t unit = text.empty() ? units.npos : units.find(text.back());
  double number = 0;
  if (!read_number(text.substr(0, text.size() - (unit == units.npos ? 0 : 1)), number)) return -1;
  constexpr double most = 1e6 * static_cast<double>(kib) * static_cast<double>(kib);
  if (!(number >= 0 && number <= most)) return -1;
  auto bytes = number * static_cast<double>(kib);
  for (std::size_t i = 0; unit != units.npos && i < unit; ++i) bytes *= static_cast<double>(kib);
  return bytes < 1e18 ? static_cast<std::int64_t>(bytes) : -1;
}

struct ShmRow {
  std::int64_t size = -1, available = -1;
};

/// Reads `shm  64M  60M  4.0M  94% /dev/shm`: file system, size, used, available, share, mount.
bool read_shm_row(std::string_view line, ShmRow& row) {
  const auto words = words_of(line);
  if (words.size() != 6 || words[5] != "/dev/shm" || !words[4].ends_with('%')) return false;
  row = {df_size(words[1]), df_size(words[3])};
  return row.size > 0 && row.available >= 0;
}

class Df : public ValueDocument {
 public:
  explicit Df(std::string_view first_line) : ValueDocument("df", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    ShmRow row;
    if (!read_shm_row(line, row)) return false;
    add("shm_size", row.size, here(), facts);
    add("shm_available", row.available, here(), facts);
    end(facts);
    return true;
  }
};

constexpr std::string_view before_bytes = "because /dev/shm has only ", behind_bytes = " bytes available";

class Ray : public ValueDocument {
 public:
  explicit Ray(std::string_view first_line) : ValueDocument("ray", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    std::int64_t bytes = 0;
    if (!read_number(between(line, before_bytes, behind_bytes), bytes) || bytes < 0) return false;
    add("shm_available", bytes, here(), facts);
    end(facts);
    return true;
  }
};

/// Whether the line is that of the module: `nvidia_peermem 16384 0`.
bool is_peermem_row(std::string_view line) {
  const auto words = words_of(line);
  std::uint64_t size = 0, uses = 0;
  return words.size() >= 3 && words[0] == "nvidia_peermem" && read_number(words[1], size) &&
         read_number(words[2], uses);
}

/// The row of the module, or a search for it that printed nothing: another line follows the command.
class Lsmod : public ValueDocument {
 public:
  explicit Lsmod(std::string_view first_line) : ValueDocument("lsmod", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    if (is_peermem_row(line)) {
      SourceQuote shown = here();
      command_ = {};
      add(what, 1, std::move(shown), facts);
      end(facts);
      return true;
    }
    if (command_.line != 0 || begun()) return false;
    begin(facts);
    command_ = here();
    return true;
  }
  void finish(Facts& facts) override {
    if (command_.line != 0) add(what, 0, std::move(command_), facts);
  }

 private:
  static constexpr std::string_view what = "nvidia_peermem";
  SourceQuote command_;
};

constexpr std::string_view no_gpu = "No devices were found";
constexpr std::string_view no_driver = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver";

class NvidiaSmi : public ValueDocument {
 public:
  explicit NvidiaSmi(std::string_view first_line) : ValueDocument("nvidia-smi", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    add(line.starts_with(no_gpu) ? "gpus" : "driver", 0, here(), facts);
    end(facts);
    return true;
  }
};

}  // namespace

std::unique_ptr<Document> begin_memlock(std::string_view line) {
  std::int64_t bytes = 0;
  const bool is_command = trimmed_end(line).ends_with(limit_command);
  return is_command || read_limit_row(line, bytes) ? std::make_unique<Memlock>(line) : nullptr;
}

std::unique_ptr<Document> begin_df(std::string_view line) {
  ShmRow row;
  return read_shm_row(line, row) ? std::make_unique<Df>(line) : nullptr;
}

std::unique_ptr<Document> begin_ray(std::string_view line) {
  return between(line, before_bytes, behind_bytes).empty() ? nullptr : std::make_unique<Ray>(line);
}

std::unique_ptr<Document> begin_lsmod(std::string_view line) {
  return line.find("lsmod") != line.npos || is_peermem_row(line) ? std::make_unique<Lsmod>(line) : nullptr;
}

std::unique_ptr<Document> begin_nvidia_smi(std::string_view line) {
  return trimmed_end(line) == no_gpu || line.starts_with(no_driver) ? std::make_unique<NvidiaSmi>(line) : nullptr;
}

std::size_t start_of_limit_row(std::string_view line, std::size_t sign) {
  return sign > 0 && (line[sign - 1] == 'm' || line[sign - 1] == 'M') ? sign - 1 : std::string_view::npos;
}

std::size_t start_of_limit_command(std::string_view line, std::size_t sign) {
  return is_prompt(line.substr(0, sign)) ? 0 : std::string_view::npos;
}

std::size_t start_of_df_row(std::string_view line, std::size_t sign) { return start_of_words_before(line, sign, 5); }

std::size_t start_of_line(std::string_view, std::size_t) { return 0; }

/// Returns 0 for `$ lsmod | grep peermem`, with a prompt and options of grep.
std::size_t start_of_module_search(std::string_view line, std::size_t sign) {
  constexpr std::string_view command = "lsmod";
  const std::size_t at = line.find(command);
  if (at == std::string_view::npos || at > sign || !is_prompt(line.substr(0, at))) return std::string_view::npos;
  const auto words = words_of(line.substr(at + command.size(), sign - at - command.size()));
  const bool is_search = words.size() >= 2 && words[0] == "|" && (words[1] == "grep" || words[1] == "egrep");
  return is_search && words.size() <= 4 ? 0 : std::string_view::npos;
}

}  // namespace nccl_analyze::evidence
