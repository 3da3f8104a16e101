// Tests which texts of NCCL's topology are lists of nodes and nothing else.

#include "redact/free_text.h"

#include "catch.h"

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

}  // namespace
}  // namespace nccl_analyze::redact
