#pragma once
/// Places the boxes of machines: NICs in rows above their GPUs, in frames for PCIe switches and CPUs, side by side.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/graph/hardware.h"
#include "report/graph/picture.h"

namespace nccl_analyze {

/// Lays out one machine. Devices stand in the order in which they are added.
class MachineLayout {
 public:
  /// Adds the frame of the machine. `prefix` begins the ids of all its frames.
  MachineLayout(Picture& picture, std::string prefix, std::string label);

  /// Adds the box of a device to its PCIe switch or CPU, and returns the box's index. Devices that are at neither stand
  /// with those of the same `column`.
  int add_gpu(const Device& device, Box box, int column) { return add(device, std::move(box), column, &Group::gpus); }
  int add_nic(const Device& device, Box box, int column) { return add(device, std::move(box), column, &Group::nics); }
  /// Adds a box below all GPUs.
  int add_hub(Box box);
  /// Computes the positions, below those of the machines that the picture held before.
  void end();

 private:
  /// Devices below one PCIe switch, directly at a CPU, or in one column.
  struct Group {
    std::string pci_switch;
    int column = -1, frame = -1;
    std::vector<int> gpus{}, nics{};
    std::size_t columns() const;
  };
  struct Cpu {
    int numa = -1, frame = -1;
    std::vector<Group> groups{};
  };
  struct Borders {
    double right = 0, top = 0;
  };

  int add(const Device& device, Box box, int column, std::vector<int> Group::*list);
  int add_frame(const std::string& id, std::string label, int parent);
  Cpu& cpu_of(int numa);
  Group& group_of(Cpu& cpu, const std::string& pci_switch, int column);
  Borders place(const Group& group, double left, bool has_gpus);
  Borders place(const Cpu& cpu, double left);
  Borders close(int frame, double left, double bottom, Borders inside);
  void move_down();
  /// The lower border of the lowest boxes.
  double low() const { return -std::max(gpu_height_, nic_height_) / 2; }

  Picture& picture_;
  std::string prefix_;
  std::size_t first_box_, first_frame_;
  int frame_, hub_ = -1;
  std::vector<Cpu> cpus_;
  double width_ = 0, gpu_height_ = 0, nic_height_ = 0;
  std::size_t gpus_ = 0;
};

}  // namespace nccl_analyze
