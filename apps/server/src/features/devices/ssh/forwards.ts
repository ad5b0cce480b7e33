/** A remote forward (`ssh -R`) as the device has asked for it; what it leads to on the device is its own matter. */
export interface Forward {
  bindAddr: string;
  bindPort: number;
}

/** A web interface, SSH, and named services by their ports. */
const maxForwards = 32;
/** RFC 1035; nothing longer is the name of anything. */
const maxAddressLength = 255;

/** The names that say what a forward is for, whatever its port is. */
const names: Readonly<Record<string, string>> = { 'pult-http': 'http', 'pult-ssh': 'ssh' };
const ports: Readonly<Record<number, string>> = { 80: 'http', 22: 'ssh' };

/** The endpoint that a forward stands for; undefined where it can be none, as without a port of its own. */
function endpointOf({ bindAddr, bindPort }: Forward): string | undefined {
  if (!Number.isInteger(bindPort) || bindPort < 1 || bindPort > 65_535) return undefined;
  if (bindAddr.length > maxAddressLength) return undefined;
  return names[bindAddr.toLowerCase()] ?? ports[bindPort] ?? `port-${bindPort}`;
}

/** What one device has asked to have forwarded. */
export interface Forwards {
  /** False for what cannot be served: no endpoint, one that is forwarded already, or too many. */
  add(forward: Forward): boolean;
  /** False where there is no such forward. */
  remove(forward: Forward): boolean;
  /** By which forward an endpoint is reached. */
  find(endpoint: string): Forward | undefined;
}

export function createForwards(): Forwards {
  const byEndpoint = new Map<string, Forward>();
  return {
    add(forward) {
      const endpoint = endpointOf(forward);
      if (endpoint === undefined || byEndpoint.has(endpoint) || byEndpoint.size >= maxForwards) return false;
      byEndpoint.set(endpoint, forward);
      return true;
    },
    remove(forward) {
      const endpoint = endpointOf(forward);
      const found = endpoint === undefined ? undefined : byEndpoint.get(endpoint);
      if (endpoint === undefined || found === undefined) return false;
      // Only the very one: it was asked for by the same name.
      if (found.bindAddr !== forward.bindAddr || found.bindPort !== forward.bindPort) return false;
      return byEndpoint.delete(endpoint);
    },
    find(endpoint) {
      // Port 80 and 22 may be named services as well.
      const port = /^port-(\d+)$/.exec(endpoint)?.[1];
      return byEndpoint.get(endpoint) ?? byEndpoint.get(ports[Number(port)] ?? '');
    },
  };
}
