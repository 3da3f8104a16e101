// Tests that the C interface redacts as the program does, and what it refuses.

#include <string>
#include <string_view>

#include "catch.h"
#include "nccl_analyze.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view log =
    "starting the secret project\n"
    "llama-node-6:152:386 [0] NCCL INFO Bootstrap: Using eth0:10.0.4.51<0>\n"
    "llama-node-6:152:386 [0] NCCL INFO Using network IB";

/// Owns a redaction.
struct Redacted {
  nccl_analyze_redaction* handle;

  explicit Redacted(int keep_other = 0) : handle(nccl_analyze_redaction_new(keep_other)) {}
  Redacted(const Redacted&) = delete;
  Redacted& operator=(const Redacted&) = delete;
  ~Redacted() { nccl_analyze_redaction_free(&handle); }

  nccl_analyze_status survey(std::string_view bytes, const char* source = "a") {
    return nccl_analyze_redaction_survey(handle, source, bytes.data(), bytes.size());
  }
  nccl_analyze_status rewrite(std::string_view bytes, std::string& out, const char* source = "a") {
    char* text = nullptr;
    size_t size = 0;
    const auto status = nccl_analyze_redaction_rewrite(handle, source, bytes.data(), bytes.size(), &text, &size);
    return take(status, text, size, out);
  }
  nccl_analyze_status end(std::string& out) {
    char* text = nullptr;
    size_t size = 0;
    const auto status = nccl_analyze_redaction_end(handle, &text, &size);
    return take(status, text, size, out);
  }
  std::string table() {
    char* text = nullptr;
    size_t size = 0;
    std::string out;
    const auto status = nccl_analyze_redaction_table(handle, &text, &size);
    take(status, text, size, out);
    return out;
  }
  std::string error() const { return nccl_analyze_redaction_error(handle); }

  /// The log in pieces of `step` bytes.
  std::string all(std::size_t step) {
    std::string out;
    for (std::size_t at = 0; at < log.size(); at += step) CHECK(survey(log.substr(at, step)) == NCCL_ANALYZE_OK);
    CHECK(end(out) == NCCL_ANALYZE_OK);
    for (std::size_t at = 0; at < log.size(); at += step) CHECK(rewrite(log.substr(at, step), out) == NCCL_ANALYZE_OK);
    CHECK(end(out) == NCCL_ANALYZE_OK);
    return out;
  }

 private:
  static nccl_analyze_status take(nccl_analyze_status status, char* text, size_t size, std::string& out) {
    if (text != nullptr) out.append(text, size);
    nccl_analyze_text_free(&text);
    return status;
  }
};

bool holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

TEST_CASE("c api: a log is redacted, however its bytes are cut") {
  const std::string text = Redacted().all(log.size());
  CHECK(text.starts_with("# redacted\n"));
  CHECK(text.ends_with("-6:152:386 [0] NCCL INFO Using network IB"));
  for (const char* const hidden : {"llama", "10.0.4.51", "secret"}) CHECK_FALSE(holds(text, hidden));
  CHECK(Redacted().all(7) == text);
  CHECK(Redacted(1).all(7).starts_with("starting "));
}

TEST_CASE("c api: an earlier table gives the same stand-ins, another text is refused") {
  Redacted first, second;
  const std::string text = first.all(64);
  CHECK(nccl_analyze_redaction_use(second.handle, first.table().c_str()) == NCCL_ANALYZE_OK);
  CHECK(second.all(64) == text);
  CHECK(holds(first.table(), "llama-node-6"));
  Redacted other;
  CHECK(nccl_analyze_redaction_use(other.handle, "llama") == NCCL_ANALYZE_FAILED);
  CHECK(holds(other.error(), "no table"));
  CHECK(other.all(64) == text);
}

TEST_CASE("c api: the name of a source loses its names") {
  Redacted redacted;
  redacted.all(64);
  char* name = nullptr;
  CHECK(nccl_analyze_redaction_name(redacted.handle, "llama-node-6.log", &name) == NCCL_ANALYZE_OK);
  CHECK(std::string_view(name).ends_with("-6.log"));
  CHECK_FALSE(holds(name, "llama"));
  nccl_analyze_text_free(&name);
}

TEST_CASE("c api: passes out of order and null arguments are misuse") {
  Redacted redacted;
  std::string out;
  CHECK(redacted.end(out) == NCCL_ANALYZE_MISUSE);
  CHECK(redacted.survey(log) == NCCL_ANALYZE_OK);
  CHECK(redacted.survey(log, "b") == NCCL_ANALYZE_MISUSE);
  CHECK(redacted.rewrite(log, out) == NCCL_ANALYZE_MISUSE);
  CHECK(redacted.end(out) == NCCL_ANALYZE_OK);
  CHECK(redacted.rewrite(log, out, "b") == NCCL_ANALYZE_MISUSE);
  CHECK(holds(redacted.error(), "same order"));
  CHECK(redacted.rewrite(log, out) == NCCL_ANALYZE_OK);
  CHECK(redacted.survey(log) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_redaction_rewrite(redacted.handle, nullptr, nullptr, 0, nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_redaction_survey(nullptr, "a", "", 0) == NCCL_ANALYZE_MISUSE);
  CHECK(std::string_view(nccl_analyze_redaction_error(nullptr)).empty());
  nccl_analyze_redaction_free(nullptr);
}

}  // namespace
}  // namespace nccl_analyze
