#pragma once
// Records connections between ranks. Connection lines name no communicator, so the lines of a thread are collected in
// batches, which are attributed to communicators later.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Connections {
 public:
  void apply(Context& context, const ChannelConnected& event);
  void apply(Context& context, const RingsConnected& event);
  void apply(Context& context, const CollnetChainsBuilt& event);
  void apply(Context& context, const AlgorithmConnected& event);

 private:
  struct KnownTransport {
    std::string transport, network;  ///< As printed.
    std::uint16_t number = 0;
  };

  std::uint16_t intern_transport(Context& context, const ChannelConnected& event);
  std::uint16_t find_transport(Context& context, const ChannelConnected& event);

  std::size_t connections_ = 0;  ///< ConnectionGroups in all batches.
  std::map<std::string, std::uint16_t, std::less<>> transport_index_;
  std::vector<KnownTransport> known_transports_;  ///< Cache for transport_index_; a job uses few transports.
  std::string key_scratch_;
};

}  // namespace nccl_analyze::builder
