// Lines of programs that report a failure, and lines that only mention one.

#include "model/build/mentions.h"

#include "catch.h"

namespace nccl_analyze::builder {
namespace {

TEST_CASE("mentions: words that begin a message, follow labels or an error are a report") {
  CHECK(reports_failure("CUDA out of memory. Tried to allocate 2.00 GiB.", "CUDA out of memory"));
  CHECK(reports_failure("run.sh: line 12:  4711 Segmentation fault      (core dumped) ./train", "Segmentation fault"));
  CHECK(reports_failure("[gpu-c4:6789 :0:6789] Caught signal 11 (Segmentation fault)", "Caught signal"));
  CHECK(reports_failure("llama-0   0/1   OOMKilled   1 (2m ago)   5m", "OOMKilled"));
  CHECK(reports_failure("  Reason:       OOMKilled", "OOMKilled"));
  CHECK(reports_failure("(RayWorker pid=17) ERROR 10-01 12:00:00 worker.py:22] got CUDA error: bad", "CUDA error:"));
  CHECK(reports_failure("Call to ibv_reg_mr failed with error: Cannot allocate memory", "Cannot allocate memory"));
}

TEST_CASE("mentions: quiet levels, arguments and sentences without an error are no report") {
  CHECK_FALSE(reports_failure("[INFO] registered handler for OOMKilled containers", "OOMKilled"));
  CHECK_FALSE(reports_failure("INFO:root:Segmentation fault handler is set", "Segmentation fault"));
  CHECK_FALSE(
      reports_failure("faulthandler enabled: will print a traceback on Segmentation fault", "Segmentation fault"));
  CHECK_FALSE(reports_failure("Namespace(on_error='CUDA error: device-side assert')", "CUDA error:"));
  CHECK_FALSE(reports_failure("    except OutOfMemoryError:  # CUDA out of memory", "CUDA out of memory"));
  CHECK_FALSE(reports_failure("    raise RuntimeError(\"CUDA error: no\")", "CUDA error:"));
}

}  // namespace
}  // namespace nccl_analyze::builder
