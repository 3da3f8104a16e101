// Tests which texts of NCCL's topology are lists of nodes and nothing else.

#include "redact/free_text.h"

#include "catch.h"
#include "messages/matcher.h"
#include "redact/own_message.h"

namespace nccl_analyze::redact {
namespace {

TEST_CASE("redact: nodes of the topology and the paths between them name no machine") {
  CHECK(is_list_of_nodes("GPU/0-1b000 (0/5000.000000/LOC) NVS/0-0 (1/360.0/NVL) NET/0-1 (3/48.0/PXB) "));
  CHECK(is_list_of_nodes(" NET/0-0 GPU/8 GPU/15 NET/0-0"));
  CHECK(is_list_of_nodes("GPU/101C0 (0/5000.000000/C2C)"));
}

TEST_CASE("redact: a list of nodes with anything else in it is none") {
  for (const char* const text :
       {"", "   ", "acme", "GPU/", "GPU/acme", "GPU/0-acme", "GPU/0-1b000acme", "GPU/0-1234567", "GPU/0-1b000 acme",
        "GPU/0 (2/360.0/ACME)", "GPU/0 (2/360.0/NVL)acme", "GPU/0 (2/360.0/NVL", "GPU/0 (acme/3/NVL)", "GPU/0-10.0.0.1",
        "acme GPU/0", "acmeGPU/0", "GPU"})
    CHECK_FALSE(is_list_of_nodes(text));
}

TEST_CASE("redact: the number behind a node of the topology names no machine, a GUID does") {
  const auto tells = [](std::string_view message) {
    Matcher::FreeText free;
    const Row* const row = standard_matcher().find_free_text(message, free);
    return row != nullptr && free.count > 0 && tells_topology(*row, free.parts[free.count - 1]);
  };
  CHECK(tells("              + PCI[24.0] - GPU/0-101c0 (168)"));
  CHECK(tells("CPU/0-0 (1/2/-1)"));
  CHECK_FALSE(tells("              + NET[25.0] - NET/0-0 (a088c20300f1b3e8/1/25.0)"));
  CHECK_FALSE(tells("CPU/0-0 (12345678)"));
  CHECK_FALSE(tells("Initialized NET plugin 168"));
}

TEST_CASE("redact: messages of channels and calls are NCCL's own if each of their words is") {
  CHECK(is_own_message("Channel 00/0 : 3[3] -> 4[0] via P2P/CUMEM/read"));
  CHECK(is_own_message("Channel 00 : 3[1b000] -> 4[1c000] via P2P/direct pointer"));
  CHECK(is_own_message("Channel 00/0 : 0[0] -> 1[0] [send] via NET/AWS Libfabric/0(3)/GDRDMA/Shared"));
  CHECK(is_own_message("Ring 00 : 3 -> 0 -> 1"));
  CHECK(is_own_message("AllReduce: 4194304 Bytes -> Algo 1 proto 2 time 133.500000"));
  for (const char* const message :
       {"", "acme", "Channel 00/0 : 3[acme] -> 4[0] via P2P/CUMEM/read", "Channel 00 : 3[bad] -> 4[0] via P2P/IPC",
        "Channel 00/0 : 3[1234567] -> 4[0] via P2P/IPC", "Channel 00/0 : 0[0] -> 1[0] [send] via NET/acme/0",
        "Channel 00 : 3[3] -> 2[2] via SHM/acme/direct", "Channel 00 : 3[3] -> 2[2] via P2P/indirect/1[acme]",
        "Acme: 4194304 Bytes -> Algo 1 proto 2 time 133.500000", "Initialized NET plugin IB",
        "AllReduce: 4194304 Bytes -> Algo ACME proto LL128 channel{Lo..Hi}={0..23}"})
    CHECK_FALSE(is_own_message(message));
}

}  // namespace
}  // namespace nccl_analyze::redact
