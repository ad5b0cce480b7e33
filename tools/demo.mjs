/**
 * The quick start with a populated organization: a thousand simulated controllers with links of their own, three real
 * agents with web pages and a toy shell. `npm run demo`, with `--fresh` from the beginning, `--controllers N` for
 * another number.
 */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { claimAgent, createAdministrator, demoAgents } from './demo-agents.mjs';
import { openDemoFolder } from './demo-folder.mjs';
import { ensureInstalled, requireNode } from './install.mjs';
import { formatLogLine, parseLogLine } from './log-lines.mjs';
import { watchNpm } from './parent.mjs';
import { root, runCommand, stopChildrenOnSignals } from './processes.mjs';
import { explainEnd, waitForServer } from './server-start.mjs';
import { Service } from './service.mjs';
import { requireFreePort, tryPort } from './settings.mjs';
import { bold, cyan, dim, isTerminal, PlainError, print, printRow, runStep, runTool } from './terminal.mjs';

const email = 'demo@example.com';
const agentTimeout = 30_000;
const linkTimeout = 120_000;
const warning = 40;
/** npm passes a Ctrl+C on that the terminal has sent us already; that is no second one. */
const echoTime = 500;
const tsx = ['--import', 'tsx'];

/** What any program needs. No setting of a real installation reaches the demo, nor does its .env. */
const base = Object.fromEntries(
  ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  ),
);

let server;
let devices;
const agents = [];
let stopping;

function readOptions() {
  const { values } = parseArgs({
    options: { fresh: { type: 'boolean' }, controllers: { type: 'string', default: '1000' } },
  });
  const size = Number(values.controllers);
  if (!Number.isInteger(size) || size < 1 || size > 5000) {
    throw new PlainError('--controllers must be a number from 1 to 5000.');
  }
  const port = Number(process.env.PORT || 8080);
  return {
    isFresh: values.fresh ?? false,
    size,
    port,
    scheme: 'http',
    host: process.env.HOST || '127.0.0.1',
    publicUrl: process.env.PUBLIC_URL || `http://localhost:${port}`,
    dataDir: resolve(root, process.env.DATA_DIR || '.data/demo'),
  };
}

function stopOnSignals() {
  let first;
  const onSignal = () => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      stopping ??= stopAll();
      stopping.then((isClean) => process.exit(isClean ? 0 : 1));
    } else if (now - first > echoTime) {
      for (const service of [...agents, devices, server]) service?.kill();
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  watchNpm(onSignal);
}

/** Devices first: they leave while there is still a server to say so to. */
async function stopAll() {
  print();
  const isClean = await Promise.all([...agents, devices].map((service) => service?.stop(8000) ?? true));
  const isServerClean = (await server?.stop(25_000)) ?? true;
  const all = isServerClean && isClean.every(Boolean);
  printRow(all ? 'passed' : 'warned', 'demo', all ? 'stopped' : 'ended by force');
  return all;
}

/** Warnings and worse; the rest would hide what there is to try. */
const showTrouble = (name) => (line) => {
  const entry = parseLogLine(line);
  if ((entry?.level ?? 0) >= warning) print(isTerminal ? formatLogLine(name, line) : line);
};

async function startServer(settings, password) {
  const isJumpFree = (await tryPort({ host: settings.host, port: 2222 })) === undefined;
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
      SSH_JUMP_PORT: isJumpFree ? '2222' : '0',
    },
    onLine: showTrouble('server'),
  });
  return waitForServer(server, settings);
}

/** Resolves when the service has written a line that matches; rejects when it ends first, or takes too long. */
function waitForLine(service, lines, pattern, timeout) {
  return new Promise((done, fail) => {
    const end = (why) => fail(new PlainError([`${service.name} ${why}`, ...service.tail].join('\n')));
    const timer = setTimeout(() => end(`took longer than ${timeout / 1000} s`), timeout);
    lines.push((line) => {
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
}

/** One small program without a loader of TypeScript beside it: a thousand links are enough to carry. */
async function bundleDevices() {
  const outfile = join(root, '.cache/demo/devices.mjs');
  const { build } = await import('esbuild');
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

async function startDevices({ publicUrl, dataDir, size }) {
  const lines = [];
  const serialNumbers = demoAgents.map(({ serialNumber }) => serialNumber);
  devices = new Service(
    'devices',
    [await bundleDevices(), publicUrl, dataDir, String(size), ...serialNumbers],
    {
      base,
      onLine: (line) => {
        for (const look of lines) look(line);
      },
    },
  );
  const linked = waitForLine(devices, lines, /^linked: (\d+)/, linkTimeout);
  // Waited for further down; an early end is told by the ports, which come first.
  linked.catch(() => {});
  const [[, mqtt], [, web], [, ssh]] = await Promise.all([
    waitForLine(devices, lines, /^mqtt: (.+)/, agentTimeout),
    waitForLine(devices, lines, /^web: (\S+)/, agentTimeout),
    waitForLine(devices, lines, /^ssh: (\S+)/, agentTimeout),
  ]);
  return { web, ssh, mqtt: mqtt.split(' '), linked };
}

async function seed({ dataDir, size }) {
  const args = [...tsx, join(root, 'tools/demo-seed.ts'), dataDir, String(size), email];
  const { code, output } = await runCommand(process.execPath, args, { env: base });
  if (code !== 0) throw new PlainError(`The controllers could not be made.\n\n${output.trim()}`);
  return `${size} simulated`;
}

async function startAgent(settings, agent, { web, ssh, mqtt }, call) {
  const lines = [];
  const stateDir = join(settings.dataDir, 'demo', agent.serialNumber.toLowerCase());
  const args = [
    'run',
    '--server',
    settings.publicUrl,
    '--serial',
    agent.serialNumber,
    '--state-dir',
    stateDir,
  ];
  const service = new Service(
    agent.serialNumber,
    [join(root, 'apps/agent/dist/pult-agent.mjs'), ...args, '--http', web, '--ssh', ssh, '--mqtt', mqtt],
    {
      base,
      onLine: (line) => {
        for (const look of lines) look(line);
      },
    },
  );
  agents.push(service);
  const connected = waitForLine(service, lines, /link: connected/, agentTimeout);
  const [, link] = await waitForLine(service, lines, /activation link: (\S+)|link: connected/, agentTimeout);
  if (link) await claimAgent(call, agent, link);
  await connected;
}

function printDetail(label, value, note = '') {
  print(`  ${`${label}:`.padEnd(12)} ${bold(value)}${note && dim(`   ${note}`)}`);
}

function printSummary({ publicUrl, dataDir }, password) {
  print();
  printDetail('Address', cyan(publicUrl));
  printDetail('Login', email);
  printDetail('Password', password);
  print();
  print('  Try:');
  print(
    `    ${bold('Ctrl+K')} and DEMO finds the three real agents: ${demoAgents.map(({ serialNumber }) => serialNumber).join(', ')}`,
  );
  print(
    `    their web interface and their MQTT values are live; their SSH login is ${bold('demo')}, password ${bold('demo')} (a toy shell)`,
  );
  print(
    '    the list, the map and the overview change by themselves: a few controllers come and go every minute',
  );
  print();
  print(dim(`  Data: ${dataDir}. From the beginning: npm run demo -- --fresh`));
  print(dim('  Ctrl+C stops everything.'));
  print();
}

await runTool(async () => {
  requireNode();
  const settings = readOptions();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  print(`\n  ${bold('Pult')} ${dim(`${version}, demo`)}\n`);
  // Before the work that takes a minute at the first time.
  await requireFreePort(settings, 'npm run demo');
  const password = openDemoFolder(settings.dataDir, settings.isFresh);
  const forget = stopChildrenOnSignals();
  await ensureInstalled();
  await ensureBuilt();
  forget();
  stopOnSignals();
  try {
    await runStep('server', () => startServer(settings, password));
    await runStep('controllers', () => seed(settings));
    const { linked, ...addresses } = await startDevices(settings);
    const call = createAdministrator({ ...settings, email, password });
    await runStep('agents', async () => {
      await Promise.all(
        demoAgents.map((agent, index) =>
          startAgent(settings, agent, { ...addresses, mqtt: addresses.mqtt[index] }, call),
        ),
      );
      return `${demoAgents.length} connected`;
    });
    await runStep('links', async () => {
      devices.send('link');
      const [, count] = await linked;
      return `${count} controllers online`;
    });
    printSummary(settings, password);
    const how = await server.ended;
    if (stopping) await stopping;
    else throw explainEnd(server, `ended by itself (${how})`);
  } catch (error) {
    if (stopping) return void (await stopping);
    stopping = stopAll();
    await stopping;
    throw error;
  }
});
process.exit();
