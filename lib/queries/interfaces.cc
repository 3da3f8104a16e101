// Lists the kinds of interfaces that are unsuitable between hosts, by their names and addresses.

#include "queries/interfaces.h"

#include "text/digits.h"

namespace nccl_analyze {

namespace {

/// Conditions on the text after the prefix of an interface name.
bool follows_anything(std::string_view) { return true; }
bool follows_number(std::string_view rest) { return !rest.empty() && is_digit(rest.front()); }
/// Docker names the bridge of a network after the first twelve digits of the network's id. Other bridges whose names
/// begin with `br-` may hold the address of the host.
bool follows_network_id(std::string_view rest) {
  constexpr std::size_t digits = 12;
  return rest.size() == digits && rest.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// ZeroTier names an interface after the network: eight letters and digits.
bool follows_zerotier(std::string_view rest) {
  constexpr std::size_t letters = 8;
  return rest.size() == letters &&
         rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos;
}

struct NamedKind : UnsuitableInterface {
  bool (*follows)(std::string_view) = follows_anything;
};

constexpr NamedKind bad_names[] = {
    {{"docker", "Docker's bridge, private to each machine"}},
    {{"br-", "the bridge of a Docker network, private to each machine"}, follows_network_id},
    {{"virbr", "libvirt's bridge, private to each machine"}},
    {{"lxcbr", "the bridge of LXC, private to each machine"}},
    {{"lxdbr", "the bridge of LXD, private to each machine"}},
    {{"pod-id-link", "the link of the EKS Pod Identity agent, private to each node"}},
    {{"cni", "the node's own pod bridge"}},
    {{"cbr", "the node's own pod bridge"}},
    {{"veth", "one end of a container's link"}},
    {{"nodelocaldns", "the node-local DNS cache"}},
    {{"kube-ipvs", "the service addresses of kube-proxy"}},
    {{"dummy", "a dummy interface"}},
    {{"ip6tnl", "a tunnel"}},
    {{"tunl", "a tunnel"}},
    {{"sit", "a tunnel"}},
    {{"gre", "a tunnel"}},
    {{"wg", "a tunnel (WireGuard)", true}},
    {{"tailscale", "a tunnel (Tailscale)", true}},
    {{"zt", "a tunnel (ZeroTier)", true}, follows_zerotier},
    {{"tun", "a tunnel (VPN)", true}, follows_number},
    {{"cali", "the node's end of one pod's link"}},
};

constexpr UnsuitableInterface bad_addresses[] = {
    {"127.", "loopback"},
    {"::1", "loopback"},
    {"169.254.", "a link-local address"},
    {"fe80:", "an IPv6 link-local address"},
};

constexpr UnsuitableInterface loopback = {"lo", "loopback"};

}  // namespace

const UnsuitableInterface* find_unsuitable_interface(std::string_view interface, std::string_view ip) {
  if (interface == loopback.prefix) return &loopback;
  for (const NamedKind& kind : bad_names)
    if (interface.starts_with(kind.prefix) && kind.follows(interface.substr(kind.prefix.size()))) return &kind;
  for (const UnsuitableInterface& kind : bad_addresses)
    if (ip.starts_with(kind.prefix)) return &kind;
  return nullptr;
}

}  // namespace nccl_analyze
