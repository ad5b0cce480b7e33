/** A process full of devices that link to the server and tell its parent how many of them are linked. */
import { openLoginTokens } from '@pult/server/database';
import { type DeviceCounts, runBenchDevice } from './device.ts';
import { createBenchIdentity, getBenchPublicKey } from './device-keys.ts';
import { runBenchSsh } from './ssh-device.ts';
import { runBenchTunnel } from './tunnel-device.ts';

export interface DevicesSettings {
  serverUrl: string;
  /** Numbers of the first device and of the one after the last. */
  from: number;
  to: number;
  /** Of devices that come by frp: its port, and where the server's data are. */
  tunnels?: { port: number; dataDir: string; isSecure: boolean } | undefined;
  /** Of devices that come by SSH. */
  sshPort?: number | undefined;
}

const settings: DevicesSettings = JSON.parse(process.argv[2] ?? '');
const counts: DeviceCounts = { linked: 0, refused: 0, failed: {} };

/** Devices that come to their first link at the same time. */
const together = 40;
let entering = 0;
const waiting: (() => void)[] = [];
async function enter<T>(connect: () => Promise<T>): Promise<T> {
  while (entering >= together) await new Promise<void>((resolve) => waiting.push(resolve));
  entering += 1;
  try {
    return await connect();
  } finally {
    entering -= 1;
    waiting.shift()?.();
  }
}

/** One address has ports for some 28,000 connections, among them those that ended less than a minute ago. */
const addresses = 8;
const { tunnels, sshPort, serverUrl } = settings;
const createToken = tunnels && (await openLoginTokens(tunnels.dataDir));
for (let number = settings.from; number < settings.to; number++) {
  const localAddress = `127.0.1.${1 + (number % addresses)}`;
  if (tunnels && createToken) {
    const { serialNumber: user } = createBenchIdentity(number);
    const token = createToken({ serialNumber: user, publicKey: getBenchPublicKey(number) });
    const { port, isSecure } = tunnels;
    void runBenchTunnel({ user, token, port, localAddress, isSecure }, counts, enter);
  } else if (sshPort !== undefined) void runBenchSsh(number, { port: sshPort, localAddress }, counts, enter);
  else void runBenchDevice(number, { serverUrl, localAddress }, counts, enter);
}

setInterval(() => process.send?.(counts), 200);
// A parent that was killed has no use for this process any more.
process.on('disconnect', () => process.exit(1));
