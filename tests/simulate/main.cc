// Prints the log of a simulated job of any size, for measurements: simulate_job HOSTS CHANNELS [world] | nccl-analyze

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "simulated_job.h"

int main(int argc, char** argv) {
  const bool world_only = argc == 4 && std::string_view{argv[3]} == "world";
  if (argc != 3 && !world_only) {
    std::fputs("usage: simulate_job HOSTS CHANNELS [world]\n", stderr);
    return 2;
  }
  const nccl_analyze::test::JobShape shape{
      .hosts = std::atoi(argv[1]), .channels = std::atoi(argv[2]), .splits = !world_only};
  nccl_analyze::test::simulate(shape,
                               [](const std::string& line) { std::fwrite(line.data(), 1, line.size(), stdout); });
  return 0;
}
