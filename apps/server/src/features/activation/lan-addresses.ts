import type { NetworkInterfaceInfo } from 'node:os';

/** Networks inside the machine, of containers and virtual machines, and tunnels: no device stands in them. */
const inner = /^(br-|cni|docker|lxc|podman|tap|tailscale|tun|veth|virbr|vmnet|wg|zt)/;

/** IPv4 addresses by which other devices may reach this machine. */
export function listLanAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  return Object.entries(interfaces)
    .filter(([name]) => !inner.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    .map(({ address }) => address);
}
