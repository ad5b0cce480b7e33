/**
 * What a stream over a second node costs. A device is linked to one of two nodes; its web interface is asked at that node, at the other one,
 * and at the first one through two bare relays of Node.js with TLS between them, which carry the same bytes over the same hop.
 */
import {
  makeTempDir,
  makeTestCertificate,
  ResourceStack,
  startAgentProcess,
  startSshServer,
} from '@pult/testkit';
import { type InstalledNode, startNodes } from '../../tests/interop/installation-of-nodes.ts';
import { claim, openDoor } from '../site.ts';
import { type Door, measureDownload } from '../tunnel/download.ts';
import { formatTable, median, percentile, print, verdict } from '../tunnel/figures.ts';
import { measureRequests } from '../tunnel/latency.ts';
import { readResidentMemory, readThreadTimes } from '../tunnel/machine.ts';
import { relayProgram, sourceProgram, startListening } from '../tunnel/site.ts';

const requestsEach = 400;
const serialNumber = 'BENCHNODES';

export async function measureHop({ rounds, bytes }: { rounds: number; bytes: number }): Promise<void> {
  await using stack = new ResourceStack();
  const installation = stack.use(
    await startNodes(2, { isDirect: true, env: async () => ({ LOG_LEVEL: 'warn' }) }),
  );
  const [holder, other] = [installation.node(0), installation.node(1)];
  const sourcePort = await startListening(stack, sourceProgram);
  const ssh = stack.use(await startSshServer());
  const agent = stack.use(
    await startAgentProcess({
      serverUrl: holder.url,
      serialNumber,
      http: `127.0.0.1:${sourcePort}`,
      ssh: ssh.address,
    }),
  );
  const { token } = await agent.waitForActivation();
  const [organization] = await holder.api.call('listOrganizations');
  await claim(holder.api, { token, organization: organization?.id ?? '', serialNumber });

  const openAt = ({ api, port }: InstalledNode) => openDoor(api, serialNumber, port);

  const folder = await makeTempDir('bench-nodes');
  stack.use({ [Symbol.asyncDispose]: () => folder.remove() });
  await makeTestCertificate(folder.path, ['localhost']);
  const oneHop = await openAt(holder);
  const far = await startListening(stack, relayProgram, oneHop.port, 'far', folder.path);
  const near = await startListening(stack, relayProgram, far, 'near', folder.path);
  const doors: Readonly<Record<string, Door>> = {
    'one hop': oneHop,
    'two hops': await openAt(other),
    'one hop behind two bare relays': { ...oneHop, port: near },
  };

  const processes = { holder: holder.process.pid, 'other node': other.process.pid, agent: agent.process.pid };
  async function readSeconds(): Promise<number[]> {
    const times = await Promise.all(Object.values(processes).map(readThreadTimes));
    return times.map(({ main, others }) => (main + others) / 1000);
  }

  const speeds: Record<string, number[]> = {};
  const seconds: Record<string, number[]> = {};
  // A process that has just started compiles its code while it carries the first bytes.
  for (const door of Object.values(doors)) await measureDownload(door, bytes);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, door] of Object.entries(doors)) {
      const before = await readSeconds();
      speeds[name] = [...(speeds[name] ?? []), await measureDownload(door, bytes)];
      const after = await readSeconds();
      seconds[name] = after.map((value, at) => (seconds[name]?.[at] ?? 0) + value - (before[at] ?? 0));
    }
  }
  const perGigabyte = (name: string) =>
    (seconds[name] ?? []).map((value) => ((value / rounds / bytes) * 1e9).toFixed(2));
  print(`\nThroughput, one stream, ${bytes / 1e6} MB, ${rounds} rounds; processor seconds for a GB`);
  print(
    formatTable([
      ['', 'median', ...Object.keys(processes)],
      ...Object.entries(speeds).map(([name, each]) => [
        name,
        `${(median(each) / 1e6).toFixed(0)} MB/s`,
        ...perGigabyte(name),
      ]),
    ]),
  );
  const relayed = speeds['one hop behind two bare relays'] ?? [];
  // Round by round: the machine's own speed drifts from one to the next.
  const ratio = median((speeds['two hops'] ?? []).map((speed, round) => speed / (relayed[round] ?? speed)));
  print(`two hops / bare relays: ${ratio.toFixed(2)} (≥ 0.8 ${verdict(ratio >= 0.8)})`);

  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, door] of Object.entries(doors)) {
      times[name] = [...(times[name] ?? []), ...(await measureRequests(door, requestsEach))];
    }
  }
  const at = (name: string, share: number) => percentile(times[name] ?? [], share);
  print(`\nLatency of a small kept-alive request, ${requestsEach * rounds} requests each`);
  print(
    formatTable([
      ['', 'p50', 'p99'],
      ...Object.keys(times).map((name) => [
        name,
        `${at(name, 0.5).toFixed(2)} ms`,
        `${at(name, 0.99).toFixed(2)} ms`,
      ]),
    ]),
  );
  const added = at('two hops', 0.5) - at('one hop', 0.5);
  print(`added by the second hop: ${added.toFixed(2)} ms p50 (≤ 1 ms ${verdict(added <= 1)})`);

  const memory = await Promise.all(Object.values(processes).map(readResidentMemory));
  print(
    `\nMemory: ${Object.keys(processes)
      .map((name, index) => `${name} ${memory[index]?.toFixed(0)} MiB`)
      .join(', ')}`,
  );
}
