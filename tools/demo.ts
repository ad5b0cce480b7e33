/**
 * The quick start with a populated organization: a thousand simulated controllers with links of their own, three real
 * agents with web pages and a toy shell. `npm run demo`, with `--fresh` from the beginning, `--controllers N` for
 * another number, `--nodes N` with several servers behind a small balancer.
 */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from '@pult/contract';
import { build } from 'esbuild';
import { ensureBuilt } from './build.mjs';
import { claimAgent, createAdministrator, type DemoAgent, demoAgents } from './demo-agents.ts';
import { openDemoFolder, passwordPath } from './demo-folder.ts';
import { requireNats, startNodes } from './demo-nodes.ts';
import { describePassword } from './first-login.mjs';
import { formatLogLine, parseLogLine } from './log-lines.mjs';
import { root, runCommand } from './processes.mjs';
import { explainEnd, waitForServer } from './server-start.mjs';
import { Service } from './service.mjs';
import { requireFreePort, type Settings, tryPort } from './settings.mjs';
import { stopOnSignals } from './signals.mjs';
import { bold, cyan, dim, isTerminal, PlainError, print, printRow, runStep } from './terminal.mjs';

const email = 'demo@example.com';
const agentTimeout = 30_000;
const linkTimeout = 120_000;
const warning = 40;

/** What any program needs. No setting of a real installation reaches the demo, nor does its .env. */
const base = Object.fromEntries(
  ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  ),
);

interface DemoSettings extends Settings {
  isFresh: boolean;
  size: number;
  /** Servers that are one installation. */
  nodes: number;
}

let server: Service | undefined;
/** Where there are several nodes: all of them, and what they share. */
const servers: Service[] = [];
let engines: Service | undefined;
let devices: Service | undefined;
const agents: Service[] = [];
let stopping: Promise<boolean> | undefined;

function readOptions(args: string[]): DemoSettings {
  const { values } = parseArgs({
    args,
    options: {
      fresh: { type: 'boolean' },
      controllers: { type: 'string', default: '1000' },
      nodes: { type: 'string', default: '1' },
    },
  });
  const size = Number(values.controllers);
  if (!Number.isInteger(size) || size < 1 || size > 5000) {
    throw new PlainError('--controllers must be a number from 1 to 5000.');
  }
  const nodes = Number(values.nodes);
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > 5) {
    throw new PlainError('--nodes must be a number from 1 to 5.');
  }
  const port = Number(process.env.PORT || 8080);
  return {
    isFresh: values.fresh ?? false,
    size,
    nodes,
    port,
    scheme: 'http',
    host: process.env.HOST || '127.0.0.1',
    publicUrl: process.env.PUBLIC_URL || `http://localhost:${port}`,
    dataDir: resolve(root, process.env.DATA_DIR || '.data/demo'),
  };
}

function stop(): Promise<boolean> {
  stopping ??= stopAll();
  return stopping;
}

function kill() {
  for (const service of [...agents, devices, server, ...servers, engines]) service?.kill();
}

/** Devices first: they leave while there is still a server to say so to. */
async function stopAll(): Promise<boolean> {
  print();
  const isClean = await Promise.all([...agents, devices].map((service) => service?.stop(8000) ?? true));
  const areServersClean = await Promise.all(
    [...servers, server].map((service) => service?.stop(25_000) ?? true),
  );
  const isServerClean = areServersClean.every(Boolean) && ((await engines?.stop(15_000)) ?? true);
  const all = isServerClean && isClean.every(Boolean);
  printRow(all ? 'passed' : 'warned', 'demo', all ? 'stopped' : 'ended by force');
  return all;
}

/** Warnings and worse; the rest would hide what there is to try. */
const showTrouble = (name: string) => (line: string) => {
  const entry = parseLogLine(line);
  if ((entry?.level ?? 0) >= warning) print(isTerminal ? formatLogLine(name, line) : line);
};

/** Where the jump host's usual port is taken, one close by; 0 turns it off. */
async function findJumpPort(host: string): Promise<{ SSH_JUMP_PORT?: string }> {
  const isFree = async (port: number) => (await tryPort({ host, port })) === undefined;
  // The server goes without its usual port, should somebody take that meanwhile.
  if (await isFree(2222)) return {};
  for (const port of [2223, 2224, 2225, 2226]) {
    if (await isFree(port)) return { SSH_JUMP_PORT: String(port) };
  }
  return { SSH_JUMP_PORT: '0' };
}

async function startServer(settings: DemoSettings, password: string): Promise<Service> {
  const jumpPort = await findJumpPort(settings.host);
  server = new Service('server', [join(root, 'apps/server/dist/main.js')], {
    base,
    // Where no .env of the project is.
    cwd: join(settings.dataDir, 'demo'),
    env: {
      HOST: settings.host,
      PORT: String(settings.port),
      PUBLIC_URL: settings.publicUrl,
      DATA_DIR: settings.dataDir,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      ...jumpPort,
    },
    onLine: showTrouble('server'),
  });
  return server;
}

/** Several nodes and what they share; the first one. */
async function startInstallation(settings: DemoSettings, password: string): Promise<Service> {
  return startNodes(settings, {
    base,
    administrator: { ADMIN_EMAIL: email, ADMIN_PASSWORD: password },
    startEngines(args) {
      const { service, waitForLine } = startProgram('engines', args);
      engines = service;
      return waitForLine(/^engines: (.+)/, 90_000);
    },
    onStart: (node) => servers.push(node),
    onLine: showTrouble,
  });
}

/** A program whose lines can be waited for: the wait fails when the program ends first, or takes too long. */
function startProgram(name: string, args: string[]) {
  const readers: ((line: string) => void)[] = [];
  const service = new Service(name, args, {
    base,
    onLine: (line) => {
      for (const read of readers) read(line);
    },
  });
  const waitForLine = (pattern: RegExp, timeout = agentTimeout) =>
    new Promise<RegExpExecArray>((done, fail) => {
      const end = (why: string) => fail(new PlainError([`${name} ${why}`, ...service.tail].join('\n')));
      const timer = setTimeout(() => end(`took longer than ${timeout / 1000} s`), timeout);
      readers.push((line) => {
        const match = pattern.exec(line);
        if (!match) return;
        clearTimeout(timer);
        done(match);
      });
      service.ended.then((how) => {
        clearTimeout(timer);
        end(`ended (${how})`);
      });
    });
  return { service, waitForLine };
}

/** One small program without a loader of TypeScript beside it: a thousand links are enough to carry. */
async function bundleDevices(): Promise<string> {
  const outfile = join(root, '.cache/demo/devices.mjs');
  await build({
    entryPoints: [join(root, 'apps/demo/src/devices.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
    external: ['aedes', 'ssh2', 'ws'],
  });
  return outfile;
}

async function startDevices({ publicUrl, dataDir, size }: DemoSettings) {
  const serialNumbers = demoAgents.map(({ serialNumber }) => serialNumber);
  const args = [await bundleDevices(), publicUrl, dataDir, String(size), ...serialNumbers];
  const { service, waitForLine } = startProgram('devices', args);
  devices = service;
  const linked = waitForLine(/^linked: (\d+)/, linkTimeout);
  // Waited for further down; an early end is told by the ports, which come first.
  linked.catch(() => {});
  const [[, mqtt = ''], [, web = ''], [, ssh = '']] = await Promise.all([
    waitForLine(/^mqtt: (.+)/),
    waitForLine(/^web: (\S+)/),
    waitForLine(/^ssh: (.+)/),
  ]);
  const link = async () => {
    service.send('link');
    const [, count] = await linked;
    return `${count} controllers online`;
  };
  /** Where each of the real agents finds what stands beside it. */
  const shells = ssh.split(' ');
  const flags = mqtt
    .split(' ')
    .map((each, index) => ['--http', web, '--ssh', shells[index] ?? 'off', '--mqtt', each]);
  return { link, flags };
}

async function seed({ dataDir, size }: DemoSettings): Promise<string> {
  const args = ['--import', 'tsx', join(root, 'tools/demo-seed.ts'), dataDir, String(size), email];
  const { code, output } = await runCommand(process.execPath, args, { env: base });
  if (code !== 0) throw new PlainError(`The controllers could not be made.\n\n${output.trim()}`);
  return `${size} simulated`;
}

/** The charts of the agents have a past from the first minute. */
async function addHistory({ dataDir }: DemoSettings): Promise<void> {
  const serialNumbers = demoAgents.map(({ serialNumber }) => serialNumber);
  const args = ['--import', 'tsx', join(root, 'tools/demo-history.ts'), dataDir, ...serialNumbers];
  const { code, output } = await runCommand(process.execPath, args, { env: base });
  if (code !== 0) throw new PlainError(`The agents’ past could not be made.\n\n${output.trim()}`);
}

async function startAgent(settings: DemoSettings, agent: DemoAgent, flags: string[], call: Client) {
  const { serialNumber } = agent;
  const stateDir = join(settings.dataDir, 'demo', serialNumber.toLowerCase());
  const args = ['run', '--server', settings.publicUrl, '--serial', serialNumber, '--state-dir', stateDir];
  const { service, waitForLine } = startProgram(serialNumber, [
    join(root, 'apps/agent/dist/pult-agent.mjs'),
    ...args,
    ...flags,
  ]);
  agents.push(service);
  const claim = async () => {
    const [, link] = await waitForLine(/activation link: (\S+)|activated/);
    if (!link) return;
    await claimAgent(call, agent, link).catch((error) => {
      throw new PlainError(`${serialNumber} could not be added: ${error.message}`);
    });
  };
  await Promise.all([waitForLine(/link: connected/), claim()]);
}

function printDetail(label: string, value: string) {
  print(`  ${`${label}:`.padEnd(12)} ${bold(value)}`);
}

function printSummary({ publicUrl, dataDir }: DemoSettings, password: string) {
  print();
  printDetail('Address', cyan(publicUrl));
  printDetail('Login', email);
  printDetail('Password', describePassword({ password, path: passwordPath(dataDir) }));
  print();
  print('  Try:');
  print(
    `    ${bold('Ctrl+K')} and DEMO finds the three real agents: ${demoAgents.map(({ serialNumber }) => serialNumber).join(', ')}`,
  );
  print(
    `    their web interface and their MQTT values are live; their SSH login is ${bold('demo')} or ${bold('root')}, password ${bold('demo')} (a toy shell, files by SFTP)`,
  );
  print(
    '    the list, the map and the overview change by themselves: a few controllers come and go every minute',
  );
  if (servers.length > 0) {
    const pids = servers.map(({ pid }) => pid).join(', ');
    print(`    the nodes are the processes ${pids}: end one of them (kill -9), and all goes on`);
  }
  print();
  print(dim(`  Data: ${dataDir}. From the beginning: npm run demo -- --fresh`));
  print(dim('  Ctrl+C stops everything.'));
  print();
}

export async function main(args: string[]): Promise<void> {
  const settings = readOptions(args);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  print(`\n  ${bold('Pult')} ${dim(`${version}, demo`)}\n`);
  // Before the work that takes a minute at the first time.
  await requireFreePort(settings, 'npm run demo');
  const password = openDemoFolder(settings.dataDir, settings.isFresh);
  if (settings.nodes > 1) requireNats();
  await ensureBuilt();
  stopOnSignals(stop, kill);
  try {
    const running =
      settings.nodes > 1
        ? await runStep('nodes', () => startInstallation(settings, password))
        : await startServer(settings, password);
    if (settings.nodes === 1) await runStep('server', () => waitForServer(running, settings));
    await runStep('controllers', () => seed(settings));
    const { link, flags } = await startDevices(settings);
    const call = createAdministrator({ ...settings, email, password });
    await runStep('agents', async () => {
      await Promise.all(
        demoAgents.map((agent, index) => startAgent(settings, agent, flags[index] ?? [], call)),
      );
      return `${demoAgents.length} connected`;
    });
    await runStep('links', async () => {
      const [linked] = await Promise.all([link(), addHistory(settings)]);
      return linked;
    });
    printSummary(settings, password);
    const how = await Promise.race([
      servers.length > 0 ? Promise.all(servers.map((node) => node.ended)).then(String) : running.ended,
      ...(engines ? [engines.ended] : []),
    ]);
    if (stopping) await stopping;
    else throw explainEnd(running, `ended by itself (${how})`);
  } catch (error) {
    if (stopping) return void (await stopping);
    await stop();
    throw error;
  }
}
