import type { Duplex } from 'node:stream';
import { type CloudLink, type CloudLinkOptions, openCloudLink } from '@pult/link';
import { type DeviceConnection, deviceCapabilities } from '../device-connection.ts';

export type NativeLinkOptions = CloudLinkOptions;
export type NativeConnection = DeviceConnection & Pick<CloudLink, 'resume' | 'addBulk'>;

const capabilities = new Set(deviceCapabilities);

/** The link of our own agent: a session over one or two connections at a time. It owns them and closes them. */
export function openNativeConnection(socket: Duplex, options: NativeLinkOptions = {}): NativeConnection {
  const link = openCloudLink(socket, options);
  // One object for each of many thousand devices: the link itself, with what the interface names otherwise.
  return Object.assign(link, {
    capabilities,
    resumeMs: options.resumeMs ?? 0,
    drain: (graceMs: number) => link.goAway(graceMs),
  });
}
