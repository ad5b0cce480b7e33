import type { Config } from './config/settings.ts';
import { examine } from './doctor/doctor.ts';
import { describeActivationLink } from './link/activation-link.ts';
import { TRANSPORT_FILE } from './link/connect-link.ts';
import { describeKeyRefusal, ENROLMENT_KEY_FILE } from './link/enrolment-key.ts';
import type { Identity } from './link/identity.ts';
import { RETURN_TOKEN_FILE } from './link/return-token.ts';
import { runAgent } from './link/run-agent.ts';
import { createServerAgents } from './link/server-agent.ts';
import { enrol } from './link/server-calls.ts';
import { formatStatus, STATUS_FILE } from './link/status.ts';
import { getDeviceKey, KEY_FILE } from './platform/device-key.ts';
import { acquireLock, isLocked } from './platform/lock.ts';
import { keepMachineId } from './platform/machine.ts';
import { deviceSources, findSerialNumber } from './platform/serial-number.ts';
import { openStateDir, type StateDir } from './platform/state-dir.ts';
import { UPDATE_KEY_FILE } from './updates/update-key.ts';

type Print = (line: string) => void;

/** Silence after which a call is given up. */
const callTimeoutMs = 10_000;

/** Runs until SIGTERM or SIGINT; exit code 0. */
export async function run(config: Config, print: Print): Promise<number> {
  return withLockedState(config.stateDir, async (state) => {
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    process.once('SIGTERM', onSignal);
    process.once('SIGINT', onSignal);
    try {
      const identity = await getIdentity(config, state, print);
      print(`serial number: ${identity.serialNumber}`);
      await runAgent({ config, identity, state, print, signal: stop.signal, env: process.env });
      return 0;
    } finally {
      process.off('SIGTERM', onSignal);
      process.off('SIGINT', onSignal);
      state.remove(STATUS_FILE);
    }
  });
}

/** Shows what the running agent does; exit code 1 when none runs. */
export async function showStatus({ stateDir }: Config, print: Print): Promise<number> {
  if (!(await isLocked(stateDir))) {
    print(`the agent is not running (state folder ${stateDir})`);
    return 1;
  }
  for (const line of formatStatus(openStateDir(stateDir).read(STATUS_FILE)) ?? ['the agent is starting'])
    print(line);
  return 0;
}

/** Says of all that a link needs that it is well, or what to do; exit code 1 when something is to be done. */
export async function runDoctor(config: Config, print: Print): Promise<number> {
  return (await examine(config, await findSerialNumber(config.serial), print)) ? 0 : 1;
}

/** Enrols once. Rejects when the server cannot be reached or says no. */
export async function enrolOnce(config: Config, print: Print): Promise<number> {
  return withLockedState(config.stateDir, async (state) => {
    const identity = await getIdentity(config, state, print);
    print(`serial number: ${identity.serialNumber}`);
    const { activationLink, keyRefusal } = await enrol(identity, config.enrollmentKey, {
      ca: config.ca,
      createAgent: createServerAgents(config, callTimeoutMs),
      timeoutMs: callTimeoutMs,
      signal: new AbortController().signal,
    });
    if (keyRefusal) print(describeKeyRefusal(keyRefusal));
    for (const line of activationLink ? describeActivationLink(activationLink) : ['activated']) print(line);
    return 0;
  });
}

/** Forgets the key. The server keeps its entry until someone deletes it there. */
export async function unlink({ stateDir }: Config, print: Print): Promise<number> {
  return withLockedState(stateDir, async (state) => {
    for (const name of [
      KEY_FILE,
      STATUS_FILE,
      TRANSPORT_FILE,
      RETURN_TOKEN_FILE,
      ENROLMENT_KEY_FILE,
      UPDATE_KEY_FILE,
    ])
      state.remove(name);
    print('this machine has forgotten its key; the next start enrols it anew');
    return 0;
  });
}

async function withLockedState(path: string, work: (state: StateDir) => Promise<number>): Promise<number> {
  const state = openStateDir(path);
  const lock = await acquireLock(path);
  try {
    return await work(state);
  } finally {
    lock.close();
  }
}

async function getIdentity(config: Config, state: StateDir, print: Print): Promise<Identity> {
  const machineId = keepMachineId(state);
  const sources = { ...deviceSources, readMachineId: () => machineId };
  const serialNumber = await findSerialNumber(config.serial, sources);
  return { serverUrl: config.server, serialNumber, key: getDeviceKey(state, machineId, print) };
}
