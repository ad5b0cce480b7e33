/** A process that loads the machine from `begin` to `end`, as its parent says, and then tells how it went. */
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { hashPassword } from '@pult/server/testing';
import { type Credentials, logIn } from './send.ts';

export interface LoadSettings {
  /** `logins`: people log in at the server. `hashes`: as many hashes are computed here, and nobody asks the server. */
  kind: 'logins' | 'hashes';
  perSecond: number;
  port: number;
  users: readonly Credentials[];
}

export interface LoadReport {
  /** Milliseconds of each. */
  times: number[];
  statuses: Record<number, number>;
}

const settings: LoadSettings = JSON.parse(process.argv[2] ?? '');
const { kind, perSecond, port, users } = settings;

async function doOne(agent: Agent, number: number): Promise<number> {
  if (kind === 'logins') return logIn(port, agent, users[number % users.length]);
  await hashPassword('as dear as a login');
  return 200;
}

/** Whenever they like, so many a second on average; they do not wait for each other. */
async function work(signal: AbortSignal): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true });
  const report: LoadReport = { times: [], statuses: {} };
  const running: Promise<void>[] = [];
  const measure = async (number: number) => {
    const started = performance.now();
    const status = await doOne(agent, number);
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    report.times.push(performance.now() - started);
  };
  for (let number = 0; !signal.aborted; number++) {
    running.push(measure(number));
    const pause = (-Math.log(1 - Math.random()) * 1000) / perSecond;
    await wait(pause, undefined, { signal }).catch(() => {});
  }
  await Promise.all(running);
  agent.destroy();
  return report;
}

let stop = new AbortController();
let working: Promise<LoadReport> | undefined;
process.on('message', async (message) => {
  if (message === 'begin') {
    stop = new AbortController();
    working = work(stop.signal);
  } else {
    stop.abort();
    process.send?.(await working);
  }
});
