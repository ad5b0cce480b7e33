import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApiClient, freePort, ResourceStack } from '@pult/testkit';
import { testCertificate } from '@pult/testkit/certificates';
import { seedDevices } from '../links/site.ts';
import { startBenchSite } from '../site.ts';
import { readResidentMemory } from '../tunnel/machine.ts';
import type { AttackReport, AttackSettings } from './attacker.ts';
import type { Target } from './connect.ts';
import { findUnforeseen } from './log-lines.ts';
import { createPingProbe, createTunnelProbe, type Measured, measure, type Probe } from './others.ts';

export interface FuzzOptions {
  isSecure: boolean;
  milliseconds: number;
  /** Of the first attack. */
  seed: number;
  /** Makes that one alone, again and again. */
  isRepeated: boolean;
  /** Attacks at a time. */
  lanes: number;
}

export interface FuzzResult {
  seconds: number;
  /** How often each kind of attack was made, or what came in its way. */
  outcomes: Map<string, number>;
  /** What may not happen at all. */
  wrong: Set<string>;
  /** MiB of the server: quiet, at most, and half a minute later. */
  memory: { before: number; most: number; after: number };
  /**
   * Of each probe, while the server was attacked; and of the same probe at a server that nobody attacks, at the same time: what the
   * attacker and the machine's other work cost, whoever is attacked.
   */
  others: { name: string; attacked: Measured; untouched: Measured }[];
}

const devicesPerLane = 4;
const settleMs = 30_000;

/** Attacks one server for that time. */
export async function fuzzServer(options: FuzzOptions): Promise<FuzzResult> {
  await using stack = new ResourceStack();
  const { server, targets, login, probes } = await startSite(options, stack);
  const untouchedSite = await startSite(options, stack);
  const { pid } = server.process;
  const before = await readResidentMemory(pid);
  const begun = performance.now();
  const stop = new AbortController();
  const attacks = startAttacks({ ...options, targets, user: login }, stop);
  stack.use({ [Symbol.asyncDispose]: async () => void attacks.process.kill() });
  const measured = Promise.all([probes, untouchedSite.probes].map((each) => measureAll(each, stop.signal)));
  let most = before;
  let seenLines = server.process.nextLine;
  while (performance.now() - begun < options.milliseconds && !stop.signal.aborted) {
    await wait(1_000);
    if (!server.process.isRunning) {
      attacks.note(`the server ended\n${server.process.tail()}`);
      break;
    }
    most = Math.max(most, await readResidentMemory(pid));
    const newLines = server.process.nextLine - seenLines;
    seenLines += newLines;
    for (const line of findUnforeseen(server.process, newLines)) attacks.note(line);
  }
  stop.abort();
  attacks.process.kill();
  // Of a server that has ended some probes wait for ever, and nothing would keep this process from its end.
  const [attacked, untouched] = await Promise.race([measured, wait<Awaited<typeof measured>>(settleMs, [])]);
  const seconds = (performance.now() - begun) / 1000;
  await wait(settleMs);
  const after = server.process.isRunning ? await readResidentMemory(pid) : Number.NaN;
  const others = Object.keys(probes).map((name) => {
    const nothing = { times: [], failures: [] };
    return {
      name,
      attacked: attacked?.[name] ?? nothing,
      untouched: untouched?.[name] ?? nothing,
    };
  });
  const { outcomes, wrong } = attacks;
  return { seconds, outcomes, wrong, memory: { before, most, after }, others };
}

/** The built server with hostile devices that are not linked yet, and honest ones that are. */
async function startSite({ isSecure, lanes }: FuzzOptions, stack: ResourceStack) {
  const port = await freePort();
  const serverUrl = `${isSecure ? 'https' : 'http'}://localhost:${port}`;
  const { server, settings, organizationId } = stack.use(
    await startBenchSite({ port, isSecure, env: { AGENT_URLS: serverUrl } }),
  );
  const first = lanes * devicesPerLane;
  await seedDevices(settings, organizationId, first + 3);
  const ca = isSecure ? testCertificate : undefined;
  const upgrade: Target = { serverUrl, ca, transport: 'upgrade' };
  const webSocket: Target = { serverUrl, ca, transport: 'websocket' };
  const probes: Record<string, Probe> = {
    link: await createPingProbe(upgrade, first),
    'link over WebSocket': await createPingProbe(webSocket, first + 1),
  };
  // The names of tunnels are in no test certificate: nobody uses web interfaces where the server has TLS of its own.
  const login = isSecure
    ? undefined
    : { baseUrl: serverUrl, username: server.adminEmail, password: server.adminPassword };
  if (login) probes.tunnel = await createTunnelProbe(upgrade, first + 2, await createApiClient(login));
  return { server, targets: [upgrade, webSocket] as [Target, Target], login, probes };
}

async function measureAll(
  probes: Record<string, Probe>,
  stop: AbortSignal,
): Promise<Record<string, Measured>> {
  const measured = Object.entries(probes).map(
    async ([name, probe]) => [name, await measure(probe, stop)] as const,
  );
  return Object.fromEntries(await Promise.all(measured));
}

interface Attacks {
  process: ChildProcess;
  outcomes: Map<string, number>;
  wrong: Set<string>;
  /** Something has gone wrong while the attacks went on that go on now. */
  note(what: string): void;
}

function startAttacks(
  { seed, isRepeated, lanes, targets, user }: FuzzOptions & Pick<AttackSettings, 'targets' | 'user'>,
  stop: AbortController,
): Attacks {
  const settings: AttackSettings = { targets, seed, isRepeated, lanes, devicesPerLane, user };
  const attacker = fileURLToPath(new URL('./attacker.ts', import.meta.url));
  const child = fork(attacker, [JSON.stringify(settings)], { execArgv: process.execArgv });
  const running = new Map<number, number>();
  const outcomes = new Map<string, number>();
  const wrong = new Set<string>();
  const note = (what: string) => wrong.add(`during seeds ${[...running.values()].join(', ')}: ${what}`);
  child.on('message', (report: AttackReport) => {
    if (report.kind === 'began') running.set(report.lane, report.seed);
    else if (report.kind === 'wrong') note(report.what);
    else outcomes.set(report.what, (outcomes.get(report.what) ?? 0) + 1);
  });
  child.on('exit', (code, signal) => {
    if (!stop.signal.aborted) note(`the attacker ended (${signal ?? code})`);
    stop.abort();
  });
  return { process: child, outcomes, wrong, note };
}
