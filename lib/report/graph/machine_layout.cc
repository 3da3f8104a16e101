// Computes the positions of a machine's boxes. The middles of all GPUs are at y = 0 until the whole machine is moved.

#include "report/graph/machine_layout.h"

#include <algorithm>

#include "text/escape.h"
#include "text/message_text.h"

namespace nccl_analyze {
namespace {

constexpr double space = 16, padding = 16, title_font = 13;
constexpr double between_columns = 48;  ///< Room for an arrow and its label between two GPUs.
constexpr double label_gap = 64;        ///< Room for arrows and labels between GPUs and NICs.
constexpr double arc_room = 88;         ///< Room below the GPUs for arrows between GPUs that are no neighbours.
constexpr std::size_t most_rows = 4;

}  // namespace

MachineLayout::MachineLayout(Picture& picture, std::string prefix, std::string label)
    : picture_(picture),
      prefix_(std::move(prefix)),
      first_box_(picture.boxes.size()),
      first_frame_(picture.frames.size()),
      frame_(add_frame("", std::move(label), -1)) {}

std::size_t MachineLayout::Group::columns() const {
  return std::max<std::size_t>({gpus.size(), (nics.size() + most_rows - 1) / most_rows, 1});
}

int MachineLayout::add_frame(const std::string& id, std::string label, int parent) {
  picture_.frames.push_back({.id = prefix_ + id, .label = std::move(label), .parent = parent});
  return static_cast<int>(picture_.frames.size()) - 1;
}

MachineLayout::Cpu& MachineLayout::cpu_of(int numa) {
  const auto known = std::ranges::find(cpus_, numa, &Cpu::numa);
  if (known != cpus_.end()) return *known;
  cpus_.push_back({numa, frame_});
  if (numa >= 0) cpus_.back().frame = add_frame(concat("c", numa), concat("CPU, NUMA node ", numa), frame_);
  return cpus_.back();
}

MachineLayout::Group& MachineLayout::group_of(Cpu& cpu, const std::string& pci_switch, int column) {
  for (Group& group : cpu.groups)
    if (group.pci_switch == pci_switch && group.column == column) return group;
  cpu.groups.push_back({pci_switch, column, cpu.frame});
  if (!pci_switch.empty())
    cpu.groups.back().frame = add_frame(concat("s", picture_.frames.size()), dot_text(pci_switch), cpu.frame);
  return cpu.groups.back();
}

int MachineLayout::add(const Device& device, Box box, int column, std::vector<int> Group::*list) {
  const bool is_placed = device.numa >= 0 || !device.pci_switch.empty();
  Group& group = group_of(cpu_of(std::max(device.numa, -1)), device.pci_switch, is_placed ? -1 : column);
  const Point text = text_size(box.label, box_font);
  box.width = std::max(text.x + padding, 54.0);
  box.height = std::max(text.y + padding, 36.0);
  box.frame = group.frame;
  width_ = std::max(width_, box.width);
  double& height = list == &Group::gpus ? gpu_height_ : nic_height_;
  height = std::max(height, box.height);
  const auto index = static_cast<int>(picture_.boxes.size());
  (group.*list).push_back(index);
  gpus_ += list == &Group::gpus ? 1 : 0;
  picture_.boxes.push_back(std::move(box));
  return index;
}

int MachineLayout::add_hub(Box box) {
  const Point text = text_size(box.label, box_font);
  box.width = text.x + padding;
  box.height = text.y + padding;
  box.frame = frame_;
  picture_.boxes.push_back(std::move(box));
  return hub_ = static_cast<int>(picture_.boxes.size()) - 1;
}

/// Sets the borders of a frame around its contents, and returns them.
MachineLayout::Borders MachineLayout::close(int index, double left, double bottom, Borders inside) {
  Frame& frame = picture_.frames[index];
  const Point title = text_size(frame.label, title_font);
  frame.left = left;
  frame.bottom = bottom;
  frame.right = std::max(inside.right, left + title.x + 2 * space);
  frame.top = inside.top + space + title.y + space / 2;
  return {frame.right, frame.top};
}

/// Places the boxes of a group. NICs stand above the GPUs, unless their CPU has none.
MachineLayout::Borders MachineLayout::place(const Group& group, double left, bool has_gpus) {
  const double column = width_ + between_columns;
  const std::size_t columns = group.columns();
  Borders borders{left + static_cast<double>(columns) * column, gpu_height_ / 2};
  const auto put = [&](int box, std::size_t place, std::size_t count, double y) {
    const double before = static_cast<double>(columns - count) / 2 + static_cast<double>(place);
    picture_.boxes[box].x = left + (before + 0.5) * column;
    picture_.boxes[box].y = y;
  };
  for (std::size_t i = 0; i < group.gpus.size(); ++i) put(group.gpus[i], i, group.gpus.size(), 0);
  for (std::size_t i = 0; i < group.nics.size(); ++i) {
    const std::size_t row = i / columns, in_row = std::min(columns, group.nics.size() - row * columns);
    const double first = has_gpus ? (gpu_height_ + nic_height_) / 2 + label_gap : 0;
    const double y = first + static_cast<double>(row) * (nic_height_ + 2 * space);
    put(group.nics[i], i % columns, in_row, y);
    borders.top = std::max(borders.top, y + nic_height_ / 2);
  }
  return group.pci_switch.empty() ? borders : close(group.frame, left, low() - space, borders);
}

MachineLayout::Borders MachineLayout::place(const Cpu& cpu, double left) {
  const bool has_frame = cpu.frame != frame_;
  const bool has_gpus = std::ranges::any_of(cpu.groups, [](const Group& group) { return !group.gpus.empty(); });
  Borders borders{left + (has_frame ? space : 0), 0};
  for (const Group& group : cpu.groups) {
    const Borders own = place(group, borders.right, has_gpus);
    borders = {own.right + (group.pci_switch.empty() ? 0 : space), std::max(borders.top, own.top)};
  }
  return has_frame ? close(cpu.frame, left, low() - 2 * space, borders) : borders;
}

void MachineLayout::end() {
  Borders borders{space, 0};
  for (const Cpu& cpu : cpus_) {
    const Borders own = place(cpu, borders.right);
    borders = {own.right + space, std::max(borders.top, own.top)};
  }
  constexpr std::size_t neighbours = 2;  // GPUs that are joined by straight arrows
  double bottom = low() - 3 * space - (gpus_ > neighbours ? arc_room : 0);
  if (hub_ >= 0) {
    Box& hub = picture_.boxes[hub_];
    hub.width = std::max(hub.width, borders.right - 2 * space);
    hub.x = borders.right / 2;
    hub.y = bottom - hub.height / 2;
    bottom -= hub.height + space;
    borders.right = std::max(borders.right, hub.x + hub.width / 2 + space);
  }
  close(frame_, 0, bottom, borders);
  move_down();
}

void MachineLayout::move_down() {
  double below = 0;  // the lowest border of the machines before
  for (std::size_t i = 0; i < first_frame_; ++i) below = std::min(below, picture_.frames[i].bottom);
  const double down = below - 2 * space - picture_.frames[frame_].top;
  for (std::size_t i = first_frame_; i < picture_.frames.size(); ++i) {
    picture_.frames[i].bottom += down;
    picture_.frames[i].top += down;
  }
  for (std::size_t i = first_box_; i < picture_.boxes.size(); ++i) picture_.boxes[i].y += down;
}

}  // namespace nccl_analyze
