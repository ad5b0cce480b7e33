import { networkInterfaces, release, uptime } from 'node:os';
import { type DeviceInfo, makeInert, type UpdateReport } from '@pult/link';
import { agentVersion } from '../version.ts';
import { readTextFile } from './machine.ts';

/** What the agent tells about this machine, within the limits of the link's schema. */
export function getDeviceInfo(serialNumber: string, update?: UpdateReport): DeviceInfo {
  return {
    serialNumber,
    model: clean(getModel(), 128),
    firmwareVersion: clean(getFirmwareVersion(), 64),
    agentVersion: clean(agentVersion, 64),
    kernelVersion: clean(release(), 128),
    addresses: getAddresses(),
    uptimeSeconds: Math.floor(uptime()),
    ...(update ? { update } : {}),
  };
}

function getModel(): string {
  return (
    readTextFile('/proc/device-tree/model') ??
    readTextFile('/sys/class/dmi/id/product_name') ??
    `${process.platform} ${process.arch}`
  );
}

/** Wiren Board keeps its release apart; elsewhere the distribution's name is the firmware. */
function getFirmwareVersion(): string {
  const release = /^RELEASE_NAME="?([^"\n]+)/m.exec(readTextFile('/usr/lib/wb-release') ?? '')?.[1];
  return release ?? /^PRETTY_NAME="?([^"\n]+)/m.exec(readTextFile('/etc/os-release') ?? '')?.[1] ?? '';
}

function getAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address.slice(0, 64))
    .slice(0, 32);
}

function clean(text: string, maxLength: number): string {
  return makeInert(text.slice(0, maxLength), ' ');
}
