/** The quick start: server, embedded database and one agent for this machine. `npm start`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureBuilt } from './build.mjs';
import { describePassword, readFirstLogin } from './first-login.mjs';
import { ensureInstalled, requireNode } from './install.mjs';
import { LogFile } from './log-file.mjs';
import { parseLogLine, summarizeEntry } from './log-lines.mjs';
import { root, stopChildrenOnSignals } from './processes.mjs';
import { explainEnd, waitForServer } from './server-start.mjs';
import { Service } from './service.mjs';
import { readSettings, requireFreePort } from './settings.mjs';
import { stopOnSignals } from './signals.mjs';
import {
  bold,
  cyan,
  dim,
  PlainError,
  print,
  printIndented,
  printRow,
  runStep,
  runTool,
} from './terminal.mjs';

const linkTimeout = 20_000;
const agentGrace = 5_000;
const serverGrace = 25_000;
const warning = 40;
const logName = 'start.log';

/** @typedef {ReturnType<typeof readSettings>} Settings */

/** @type {Service | undefined} */
let server;
/** @type {Service | undefined} */
let agent;
/** @type {LogFile | undefined} */
let log;
/** @type {Promise<boolean> | undefined} */
let stopping;
let isUp = false;

function stop() {
  stopping ??= stopAll();
  return stopping;
}

function kill() {
  agent?.kill();
  server?.kill();
}

/** Agent first: it leaves while there is still a server to say so to. */
async function stopAll() {
  if (agent?.isRunning || server?.isRunning) print();
  const agentClean = await stopService(agent, agentGrace);
  const serverClean = await stopService(server, serverGrace);
  return agentClean && serverClean;
}

/**
 * @param {Service | undefined} service
 * @param {number} grace
 */
async function stopService(service, grace) {
  if (!service?.isRunning) return true;
  const started = performance.now();
  const isClean = await service.stop(grace);
  printRow(
    isClean ? 'passed' : 'warned',
    service.name,
    isClean ? 'stopped' : 'ended by force',
    performance.now() - started,
  );
  return isClean;
}

function openLog() {
  try {
    log?.open();
  } catch {
    // A server whose log cannot be written is still worth having.
  }
}

/**
 * Its lines go to the log. Warnings of the start are about the settings, so the screen shows them too. `locked` resolves when
 * the data folder is its own: until then it may be that of a server which runs already, whose log and agent are there.
 */
function startServer() {
  /** @type {() => void} */
  let onLocked = () => {};
  /** @type {Promise<void>} */
  const locked = new Promise((resolve) => {
    onLocked = resolve;
  });
  const started = new Service('server', ['apps/server/dist/main.js'], {
    onLine(line) {
      log?.write('server', line);
      const entry = isUp ? undefined : parseLogLine(line);
      if (entry && entry.level >= warning) printRow('warned', 'server', summarizeEntry(entry));
    },
    onMessage(message) {
      if (message === 'locked') onLocked();
    },
  });
  server = started;
  return { started, locked };
}

/** @typedef {{ serialNumber?: string, link?: string }} FoundMachine what the agent has said */
/** @typedef {{ found: FoundMachine, shown: Promise<void> }} StartedAgent */

/**
 * `found` gets the serial number and, until somebody has claimed this machine, the activation link. `shown` resolves when
 * there is all of it, and rejects when the agent ends before.
 * @param {Settings} settings
 * @returns {StartedAgent}
 */
function startAgent(settings) {
  /** @type {FoundMachine} */
  const found = {};
  /** @type {Promise<void>} */
  const shown = new Promise((resolve, reject) => {
    const args = ['run', '--server', settings.publicUrl, '--state-dir', join(settings.dataDir, 'agent')];
    const started = new Service('agent', ['apps/agent/dist/pult-agent.mjs', ...args], {
      env: settings.enrollmentKey ? { PULT_ENROLLMENT_KEY: settings.enrollmentKey } : {},
      onLine(line) {
        log?.write('agent', line);
        found.serialNumber ??= /^serial number: (\S+)/.exec(line)?.[1];
        found.link ??= /activation link: (\S+)/.exec(line)?.[1];
        if (found.link || line === 'activated') resolve();
      },
    });
    agent = started;
    started.ended.then((how) =>
      reject(new PlainError([`The agent ended (${how}).`, ...started.tail].join('\n'))),
    );
  });
  // It may end before anybody looks.
  shown.catch(() => {});
  return { found, shown };
}

/**
 * Without an agent the server is still worth having.
 * @param {StartedAgent} started
 */
async function addThisMachine({ found, shown }) {
  const work = async () => {
    await Promise.race([shown, wait(linkTimeout, undefined, { ref: false })]);
    return `${found.serialNumber ?? 'this machine'} ${found.link ? 'waits to be added' : 'is running'}`;
  };
  await runStep('agent', work).catch((error) => printIndented(`\n${error.message}`));
  return found.link;
}

/** @param {Settings} settings */
function isHere({ publicUrl }) {
  return URL.canParse(publicUrl) && new URL(publicUrl).hostname === 'localhost';
}

/** @param {string} how */
function reportLostAgent(how) {
  if (!stopping) printRow('warned', 'agent', `ended by itself (${how}); the server goes on`);
}

/**
 * @param {string} label
 * @param {string} value
 */
function printDetail(label, value, note = '') {
  print(`  ${`${label}:`.padEnd(16)} ${bold(value)}${note && dim(`   ${note}`)}`);
}

/**
 * Until the first login.
 * @param {Settings} settings
 */
function printAccount(settings) {
  const login = readFirstLogin(settings);
  if (!login) return;
  printDetail('Administrator', login.email);
  printDetail('Password', describePassword(login), 'until the first login');
}

/**
 * @param {Settings} settings
 * @param {string | undefined} link
 */
function printSummary(settings, link) {
  print();
  printDetail('Address', cyan(settings.publicUrl));
  printAccount(settings);
  print();
  if (link) {
    print('  This machine waits to be added: open the link, log in and choose an organization.');
    print(`  activation link: ${bold(cyan(link))}`);
    print();
  }
  if (log?.isOpen) print(dim(`  Log: ${log.path}`));
  print(dim('  Ctrl+C stops everything.'));
  print();
}

await runTool(async () => {
  requireNode();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  print(`\n  ${bold('Pult')} ${dim(version)}\n`);
  stopChildrenOnSignals();
  await ensureInstalled({ withTools: false });
  await ensureBuilt();
  stopOnSignals(stop, kill);
  const settings = readSettings();
  await requireFreePort(settings);
  log = new LogFile(join(settings.dataDir, logName));
  try {
    const { started, locked } = startServer();
    // It waits for a server of this machine by itself; one behind another address may be waited for too long.
    const early = locked.then(() => {
      openLog();
      return isHere(settings) ? startAgent(settings) : undefined;
    });
    await runStep('server', () => waitForServer(started, settings)).catch((error) => {
      agent?.kill();
      throw error;
    });
    printSummary(settings, await addThisMachine((await early) ?? startAgent(settings)));
    isUp = true;
    if (agent?.isRunning) agent.ended.then(reportLostAgent);
    const how = await started.ended;
    if (stopping) await stopping;
    else throw explainEnd(started, `ended by itself (${how})`);
  } catch (error) {
    await stop();
    throw error;
  }
});
process.exit();
