#pragma once
// Connections between ranks. Their lines name no communicator, so that each thread's are gathered in a batch.

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
    std::string transport, network;  ///< As the line has them.
    std::uint16_t number = 0;
  };

  std::uint16_t intern_transport(Context& context, const ChannelConnected& event);
  std::uint16_t find_transport(Context& context, const ChannelConnected& event);

  std::size_t connections_ = 0;  ///< Groups of connections in all batches.
  std::map<std::string, std::uint16_t, std::less<>> transport_index_;
  std::vector<KnownTransport> known_transports_;  ///< A cache of the few transports that a job has.
  std::string key_scratch_;
};

}  // namespace nccl_analyze::builder
