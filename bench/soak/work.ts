import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { terminalPath } from '@pult/contract';
import {
  createByteSource,
  HttpClient,
  hashByteSource,
  type MqttBroker,
  poll,
  runCommand,
} from '@pult/testkit';
import type { JumpClient } from '../../tests/interop/jump-client.ts';
import { openTunnel, openWebInterface, type Site } from '../../tests/interop/site.ts';

/** One piece of work, done once: it throws when a fault has cut it, and `WrongBytes` when what arrived is wrong. */
export type Work = () => Promise<void>;

/** Something came to its end as if it were whole, and was not what had been sent. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

function compare(what: string, given: unknown, expected: unknown): void {
  if (JSON.stringify(given) === JSON.stringify(expected)) return;
  throw new WrongBytes(`${what}: ${JSON.stringify(given)} instead of ${JSON.stringify(expected)}`);
}

/** Everything that people and devices do with one controller, by name. */
export function createWorks(site: Site, jump: JumpClient, broker: MqttBroker): Record<string, Work> {
  const { api, serialNumber, tunnelUrl } = site;
  let told = 0;
  return {
    async api() {
      await api.call('listControllers', { query: {} });
      await api.call('getController', { params: { serialNumber } });
    },
    async download() {
      const bytes = randomInt(1, 3_000_000);
      const browser = await openWebInterface(site);
      const answer = await browser.request(`${tunnelUrl}/download/${bytes}`);
      if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
      compare('download', await answer.hash(), { bytes, sha256: hashByteSource(bytes) });
    },
    async upload() {
      const bytes = randomInt(1, 1_000_000);
      const browser = await openWebInterface(site);
      const answer = await browser.request(`${tunnelUrl}/echo`, {
        method: 'POST',
        headers: { 'content-length': String(bytes) },
        body: createByteSource(bytes),
      });
      if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
      compare('upload', await answer.json(), { method: 'POST', bytes, sha256: hashByteSource(bytes) });
    },
    terminal: () => useTerminal(site),
    async sftp() {
      const file = join(jump.folder, `file-${serialNumber}`);
      const device = `${site.ssh.user}@${serialNumber}:${join(site.ssh.folder, `copy-${serialNumber}`)}`;
      const bytes = randomInt(1, 1_000_000);
      await runCommand('dd', ['if=/dev/urandom', `of=${file}`, `bs=${bytes}`, 'count=1', 'iflag=fullblock']);
      for (const [from, to] of [
        [file, device],
        [device, `${file}-back`],
      ] as const) {
        const { code, stderr } = await jump.run('scp', [from, to], { timeoutMs: 120_000 });
        if (code !== 0) throw new Error(`scp ended with ${code}: ${stderr}`);
      }
      const { stdout } = await runCommand('sha256sum', [file, `${file}-back`]);
      const [sent, back] = stdout.split('\n').map((line) => line.split(' ')[0]);
      compare('sftp', back, sent);
    },
    async telemetry() {
      told += 1;
      const value = String(told);
      await broker.publish(`/devices/soak-${serialNumber}/controls/count`, value);
      const arrived = async () => {
        const { devices } = await api.call('getLastMqttData', { params: { serialNumber } });
        const device = devices.find(({ id }) => id === `soak-${serialNumber}`);
        return device?.controls.find(({ id }) => id === 'count')?.value === value;
      };
      // However often the line breaks meanwhile: what is late is no fault, what never comes is.
      await poll(arrived, { what: `value ${value} arrives`, timeoutMs: 240_000, intervalMs: 500 }).catch(
        (error: Error) => {
          throw new WrongBytes(error.message);
        },
      );
    },
  };
}

async function useTerminal(site: Site): Promise<void> {
  const { tunnelKey } = await openTunnel(site, 'ssh');
  const socket = await new HttpClient().openWebSocket(site.server.url + terminalPath, {
    headers: { authorization: `Bearer ${site.api.access}`, origin: site.server.url },
  });
  let output = '';
  let isClosed = false;
  let received = 0;
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return;
    output += data.toString();
    received += data.length;
    if (socket.readyState === socket.OPEN)
      socket.send(JSON.stringify({ type: 'ackOutput', position: received }));
  });
  const show = (pattern: RegExp) =>
    poll(
      () => {
        if (isClosed) throw new Error('the terminal was cut');
        return pattern.exec(output) ?? undefined;
      },
      { what: `the terminal shows ${pattern}`, timeoutMs: 60_000 },
    );
  const credential = { method: 'private_key', privateKey: site.ssh.clientKey.privateKey };
  const size = { columns: 80, rows: 24 };
  try {
    socket.send(JSON.stringify({ type: 'start', tunnelKey, username: site.ssh.user, credential, ...size }));
    await show(/./);
    const [left, right] = [randomInt(1e6), randomInt(1e6)];
    socket.send(Buffer.from(`echo "sum=$((${left} + ${right}))."\n`));
    const [, sum] = await show(/sum=(\d+)\./);
    compare('terminal', Number(sum), left + right);
  } finally {
    socket.terminate();
  }
}
