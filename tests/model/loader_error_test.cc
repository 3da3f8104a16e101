// Tests of what the dynamic loader's errors say about a plugin.

#include "model/loader_error.h"

#include <string_view>

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("loader errors: a library that the plugin needs is too old") {
  const LoaderError error = read_loader_error(
      "/opt/amazon/efa/lib/libfabric.so.1: version `FABRIC_1.7' not found (required by /opt/env/lib/libnccl-net.so)",
      "libnccl-net.so");
  CHECK(error.fault == LoaderFault::version);
  CHECK(error.library == "/opt/amazon/efa/lib/libfabric.so.1");
  CHECK(error.needed == "FABRIC_1.7");
}

TEST_CASE("loader errors: a library that the plugin needs is missing") {
  const LoaderError error =
      read_loader_error("libfabric.so.1: cannot open shared object file: No such file or directory", "libnccl-net.so");
  CHECK(error.fault == LoaderFault::library);
  CHECK(error.library == "libfabric.so.1");
  CHECK(read_loader_error("libnccl-net.so: libcudart.so.12: cannot open shared object file: No such file or directory",
                          "")
            .library == "libcudart.so.12");
}

TEST_CASE("loader errors: the plugin itself is missing") {
  const auto fault = [](std::string_view reason, std::string_view plugin) {
    return read_loader_error(reason, plugin).fault;
  };
  CHECK(fault("libnccl-net.so: cannot open shared object file: No such file or directory", "libnccl-net.so") ==
        LoaderFault::none);
  CHECK(fault("/opt/x.so: cannot open shared object file: No such file or directory when loading /opt/x.so", "") ==
        LoaderFault::none);
  CHECK(fault("mynet: cannot open shared object file: No such file or directory", "") == LoaderFault::none);
  CHECK(fault("", "") == LoaderFault::none);
}

TEST_CASE("loader errors: symbols and damaged files") {
  CHECK(read_loader_error("/lib/libnccl-net-ofi.so: undefined symbol: fi_getinfo, version FABRIC_1.8", "").fault ==
        LoaderFault::symbol);
  const LoaderError damaged = read_loader_error("/lib/libnccl-net.so: file too short", "libnccl-net.so");
  CHECK(damaged.fault == LoaderFault::file);
  CHECK(damaged.library == "/lib/libnccl-net.so");
}

}  // namespace nccl_analyze
