// Prints the log of a job of any size, to measure with: simulate_job HOSTS CHANNELS | nccl-analyze

#include <cstdio>
#include <cstdlib>
#include <string>

#include "simulated_job.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: simulate_job HOSTS CHANNELS\n", stderr);
    return 2;
  }
  const nccl_analyze::test::JobShape shape{.hosts = std::atoi(argv[1]), .channels = std::atoi(argv[2])};
  nccl_analyze::test::simulate(shape,
                               [](const std::string& line) { std::fwrite(line.data(), 1, line.size(), stdout); });
  return 0;
}
