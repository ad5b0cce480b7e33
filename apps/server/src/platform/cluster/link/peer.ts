/** Another node, and where it is reached. */
export interface NodePeer {
  id: string;
  /** host:port */
  address: string;
}

/** `host:port`; an IPv6 address stands in brackets. */
export function parseNodeAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}
