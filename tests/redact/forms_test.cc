// Tests which words may stay because of their form.

#include "redact/forms.h"

#include "catch.h"

namespace nccl_analyze::redact {
namespace {

TEST_CASE("redact: numbers, versions, times and devices may stay") {
  for (const char* const word : {"0",
                                 "12080",
                                 "99999999",
                                 "134217728",
                                 "2.27.3",
                                 "cuda12.4",
                                 "v2.27.3",
                                 "0-51",
                                 "2025-01-31",
                                 "2025-01-31t10",
                                 "04.123456z",
                                 "1766937600.123",
                                 "80gb",
                                 "600s",
                                 "gpu3",
                                 "mlx5_0",
                                 "enp12s0f1np1",
                                 "eth0",
                                 "eth0.100",
                                 "ens3f0np0.4094",
                                 "enp53091s1",
                                 "eno12399np0",
                                 "flannel.1",
                                 "0x10de",
                                 "0x068000",
                                 "ffffffff",
                                 "p5en.48xlarge",
                                 "rank_3",
                                 "550.54.15",
                                 "5.15.0-1063-aws",
                                 "6.12.3-arch1-1",
                                 "p5.48xlarge",
                                 "p6-b200.48xlarge",
                                 "p6e-gb200.36xlarge",
                                 "trn2u.48xlarge",
                                 "u-12tb1.metal",
                                 "m7i-flex.large",
                                 "x2iezn.metal",
                                 "hpc7g.16xlarge"}) {
    INFO(word);
    CHECK(form_of(word) == Form::harmless);
  }
}

TEST_CASE("redact: what may be an address, a key or the name of a host may not") {
  for (const char* const word : {"10.0.4.51",
                                 "010.000.004.051",
                                 "10-0-4-51",
                                 "10_0_4_51",
                                 "167773235",
                                 "3405803785",
                                 "0x0a000433",
                                 "v10.0.4.51",
                                 "x10.0.4.51",
                                 "b8ce.f600.1234",
                                 "b8cef6001234",
                                 "worker-3",
                                 "gpu-node-3",
                                 "node3",
                                 "zorblax",
                                 "hf_abc",
                                 "b8cef603-1234-5678-9abc-def012345678",
                                 "0313.0.0161.011",
                                 "enx0123456789ab",
                                 "gen150",
                                 "dp004",
                                 "u1234",
                                 "24titan",
                                 "555-1234",
                                 "555.123.4567",
                                 "token_123456789",
                                 "8817263d",
                                 "titan.max.com",
                                 "mlx5_titan",
                                 "eth0.10.44.7.91",
                                 "ib10.44.7",
                                 "net130.237.44.91",
                                 "eth0.44127",
                                 "net1654522013377",
                                 "tap44127",
                                 "fk7zorblax.12xlarge",
                                 "z9zorblax.large",
                                 "ml4zorblax.metal",
                                 "g5.4412771xlarge",
                                 "5.15.0-titan"}) {
    INFO(word);
    CHECK(form_of(word) == Form::unknown);
  }
}

TEST_CASE("redact: some forms may stay only where something says what they are") {
  for (const char* const word : {"10.44.7", "130.237.44", "12.4.131"}) CHECK(form_of(word) == Form::version);
  for (const char* const word : {"1b000", "0-1b000", "ab123", "8cf0", "814d"}) CHECK(form_of(word) == Form::bus_id);
  for (const char* const word : {"e0512", "w", "i20241209"}) CHECK(form_of(word) == Form::level);
  CHECK(form_of("1654522013377") == Form::time);
  CHECK(version_length("5.15.0-1063-acme") == 11);
  CHECK(version_length("cuda12.0-acme") == 8);
  CHECK(version_length("10.44.7-acme") == 0);
}

TEST_CASE("redact: of numbers with colons, bus ids, times and prefixes are no addresses") {
  CHECK(bus_id_length("0000:3b:00.0 x") == 12);
  CHECK(bus_id_length("3b:00.0") == 7);
  CHECK(bus_id_length("10:00:00") == 0);
  CHECK(colon_run_length("10:00:00.5") == 0);
  CHECK(colon_run_length("::152:386 [0]") == 0);
  CHECK(colon_run_length("c10d::Error") == 0);
  CHECK(colon_run_length("fd00::1148") == 10);
  CHECK(colon_run_length("b8:ce:f6:00:12:34") == 17);
  CHECK(colon_run_length("b8ce:f603:0000:1234,") == 19);
}

}  // namespace
}  // namespace nccl_analyze::redact
