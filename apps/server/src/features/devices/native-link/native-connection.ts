import type { Duplex } from 'node:stream';
import { type CloudLinkOptions, openCloudLink } from '@pult/link';
import { type DeviceConnection, deviceCapabilities } from '../device-connection.ts';

export type NativeLinkOptions = CloudLinkOptions;

const capabilities = new Set(deviceCapabilities);

/** The connection of our own agent: HTTP/2, in which the device is the server. It owns the socket and closes it. */
export function openNativeConnection(socket: Duplex, options?: NativeLinkOptions): DeviceConnection {
  const link = openCloudLink(socket, options);
  // One object for each of many thousand devices: the link itself, with what the interface names otherwise.
  return Object.assign(link, { capabilities, drain: (graceMs: number) => link.goAway(graceMs) });
}
