#include "model/loader_error.h"

#include "text/search.h"

namespace nccl_analyze {

namespace {

using Words = std::string_view;

Words last_word(Words text) {
  const auto blank = text.rfind(' ');
  return blank == Words::npos ? text : text.substr(blank + 1);
}

Words word_before(Words text, Words phrase) {
  const auto at = text.find(phrase);
  return at == Words::npos ? Words{} : last_word(text.substr(0, at));
}

Words between(Words text, Words before, Words after) {
  const auto at = text.find(before);
  if (at == Words::npos) return {};
  const Words rest = text.substr(at + before.size());
  const auto end = rest.find(after);
  return end == Words::npos ? Words{} : rest.substr(0, end);
}

/// Whether the file is the plugin itself: NCCL tried it by this name, or it is named as plugins are. From 2.20 NCCL
/// prints the name after the error of the loader.
bool is_plugin(Words file, Words plugin, Words reason) {
  const auto at = reason.find(" when loading ");
  const Words tried = at == Words::npos ? Words{} : reason.substr(at);
  return contains(file, "ccl-net") || contains(file, "ccl-tuner") || contains(plugin, file) || contains(tried, file);
}

}  // namespace

LoaderError read_loader_error(Words reason, Words plugin) {
  if (reason.empty()) return {};
  // glibc: LIBRARY: version `VERSION' not found (required by FILE)
  if (const Words library = word_before(reason, ": version `"); !library.empty())
    if (const Words needed = between(reason, ": version `", "' not found"); !needed.empty())
      return {LoaderFault::version, library, needed};
  if (contains(reason, ": undefined symbol: ")) return {LoaderFault::symbol, {}, {}};
  if (const Words file = word_before(reason, ": cannot open shared object file: No such file");
      contains(file, ".so") && !is_plugin(file, plugin, reason))
    return {LoaderFault::library, file, {}};
  for (const Words damage : {": file too short", ": invalid ELF header", ": wrong ELF class"})
    if (const Words file = word_before(reason, damage); !file.empty()) return {LoaderFault::file, file, {}};
  return {};
}

}  // namespace nccl_analyze
