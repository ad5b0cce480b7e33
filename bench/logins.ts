/**
 * `npm run bench logins [-- --rounds N --seconds N --rate N]`: what other calls notice of people logging in, measured in
 * turn with and without the logins in one run. A missed target is marked, and nothing fails.
 */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApiClient, HttpClient, type ServerProcess, startServerProcess } from '@pult/testkit';
import { formatTable, median, percentile } from './tunnel/figures.ts';
import { describeMachine, readThreadTimes } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '4' },
    rate: { type: 'string', default: '15' },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const loginsPerSecond = Number(options.rate);
const accounts = 5;
const loginsInTurn = 200;
/** p99 with logins over p99 without, each the median of the rounds: a slow moment of the machine is one round's. */
const target = 1.5;

const print = (text: string) => void process.stdout.write(`${text}\n`);
const milliseconds = (value: number) => `${value.toFixed(2)} ms`;

interface Credentials {
  username: string;
  password: string;
}

async function addUser(server: ServerProcess, number: number): Promise<Credentials> {
  const username = `user-${number}@pult.example`;
  const { stdout } = await server.runPult('user', 'add', username);
  return { username, password: /Password: (\S+)/.exec(stdout)?.[1] ?? '' };
}

/** One call; answers its status once the body is read. */
function send(
  port: number,
  agent: Agent,
  call: { method: string; path: string; headers: Record<string, string>; body?: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body } = call;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent, timeout: 30_000 });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 30 s')));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.end(body);
  });
}

/** Milliseconds of GET users/me, one after the other over one connection, until the time is over. */
async function measureCalls(port: number, headers: Record<string, string>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  try {
    while (performance.now() < end) {
      const started = performance.now();
      const status = await send(port, agent, { method: 'GET', path: '/api/v1/users/me/', headers });
      if (status !== 200) throw new Error(`users/me answered ${status}`);
      times.push(performance.now() - started);
      // A console asks now and then: without a pause this client alone would keep a core busy.
      await wait(2);
    }
  } finally {
    agent.destroy();
  }
  return times;
}

function logIn(port: number, agent: Agent, user: Credentials | undefined): Promise<number> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'bench/1' };
  const body = JSON.stringify(user);
  return send(port, agent, { method: 'POST', path: '/api/v1/auth/token/', headers, body });
}

/** People who log in whenever they like, as many a second on average; they do not wait for each other. */
async function logInAgainAndAgain(port: number, users: readonly Credentials[], signal: AbortSignal) {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const running: Promise<void>[] = [];
  const measureLogin = async (user: Credentials | undefined) => {
    const started = performance.now();
    const status = await logIn(port, agent, user);
    statuses[status] = (statuses[status] ?? 0) + 1;
    times.push(performance.now() - started);
  };
  for (let number = 0; !signal.aborted; number++) {
    running.push(measureLogin(users[number % users.length]));
    await wait((-Math.log(1 - Math.random()) * 1000) / loginsPerSecond, undefined, { signal }).catch(
      () => {},
    );
  }
  await Promise.all(running);
  agent.destroy();
  return { times, statuses };
}

print(await describeMachine());
await using server = await startServerProcess({ env: { LOG_LEVEL: 'warn' } });
const users: Credentials[] = [];
for (let number = 1; number <= accounts; number++) users.push(await addUser(server, number));

const [user] = users;
if (!user) throw new Error('no user');
const { access } = await createApiClient({ baseUrl: server.url, ...user });
const browser = new HttpClient();
const cookieLogin = await browser.request(`${server.url}/api/v1/auth/token/`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(user),
});
await cookieLogin.text();
const callers: Record<string, Record<string, string>> = {
  'by access token': { authorization: `Bearer ${access}` },
  'by cookie': { cookie: browser.cookies.getHeader('localhost') ?? '' },
};

interface Round {
  quiet: number[];
  busy: number[];
}
const results: Record<string, Round[]> = {};
const loginTimes: number[] = [];
const loginStatuses: Record<number, number> = {};
for (const headers of Object.values(callers)) await measureCalls(server.port, headers); // compiles the code
for (let round = 0; round < rounds; round++) {
  for (const [name, headers] of Object.entries(callers)) {
    const quiet = await measureCalls(server.port, headers);
    const stop = new AbortController();
    const logins = logInAgainAndAgain(server.port, users, stop.signal);
    const busy = await measureCalls(server.port, headers);
    stop.abort();
    results[name] = [...(results[name] ?? []), { quiet, busy }];
    const { times, statuses } = await logins;
    loginTimes.push(...times);
    for (const [status, count] of Object.entries(statuses)) {
      loginStatuses[Number(status)] = (loginStatuses[Number(status)] ?? 0) + count;
    }
  }
}

print(
  `\nGET users/me, ${rounds} rounds of ${seconds} s, without and with ${loginsPerSecond} logins a second`,
);
const rows = Object.entries(results).map(([name, measured]) => {
  const at = (which: keyof Round, share: number) =>
    median(measured.map((round) => percentile(round[which], share)));
  const ratioAt = (share: number) => at('busy', share) / at('quiet', share);
  const p99 = ratioAt(0.99);
  return [
    name,
    ...[at('quiet', 0.5), at('quiet', 0.99), at('busy', 0.5), at('busy', 0.99)].map(milliseconds),
    `${ratioAt(0.5).toFixed(2)} ×`,
    `${p99.toFixed(2)} × (≤ ${target} × ${p99 <= target ? 'met' : 'MISSED'})`,
  ];
});
print(formatTable([['', 'p50', 'p99', 'with: p50', 'p99', 'ratio p50', 'p99'], ...rows]));
const answers = Object.entries(loginStatuses).map(([status, count]) => `${count} × ${status}`);
print(
  `\nLogins: p50 ${milliseconds(percentile(loginTimes, 0.5))}, p99 ${milliseconds(percentile(loginTimes, 0.99))}; answers ${answers.join(', ')}`,
);

// What a login computes does not depend on what else the machine does.
const agent = new Agent({ keepAlive: true });
const before = await readThreadTimes(server.process.pid);
for (let number = 0; number < loginsInTurn; number++)
  await logIn(server.port, agent, users[number % accounts]);
const after = await readThreadTimes(server.process.pid);
agent.destroy();
const main = (after.main - before.main) / loginsInTurn;
const others = (after.others - before.others) / loginsInTurn;
print(`One login computes ${milliseconds(main)} on the main thread and ${milliseconds(others)} on others`);
