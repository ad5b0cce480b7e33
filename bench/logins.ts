/**
 * `npm run bench logins [-- --rounds N --seconds N --rate N]`: what other calls notice of people logging in, measured in
 * turn quietly, beside the same hashing in a process of its own (what any work of that size costs on this machine), beside
 * logins whose hashing costs nothing (what a login costs the server's main thread and database) and beside the logins. A
 * missed target is marked, and nothing fails.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findDatabase } from '@pult/server/database';
import { createApiClient, HttpClient, type ServerProcess, startServerProcess } from '@pult/testkit';
import { connectClient } from './fleet/client.ts';
import type { LoadReport, LoadSettings } from './logins/load.ts';
import { type Credentials, logIn, send } from './logins/send.ts';
import { formatTable, median, percentile } from './tunnel/figures.ts';
import { describeMachine, readThreadTimes } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '4' },
    rate: { type: 'string', default: '15' },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const perSecond = Number(options.rate);
const accounts = 5;
const loginsInTurn = 200;
/** p99 beside logins over p99 of a quiet server, each the median of the rounds. */
const target = 1.5;
/** Argon2id, 8 KiB, one pass: next to no work to check. A stored hash says how it is checked. */
const light = {
  password: 'password of the bench',
  hash: '$argon2id$v=19$m=8,t=1,p=1$CcSfSGreg6nEOTYANNRmuw$kAbhxjf/RFrP6TunF5eEzen825Eb0Itueac6IJJyrJ0',
};

const print = (text: string) => void process.stdout.write(`${text}\n`);
const milliseconds = (value: number) => `${value.toFixed(2)} ms`;

async function addUser(server: ServerProcess, number: number): Promise<Credentials> {
  const username = `user-${number}@pult.example`;
  const { stdout } = await server.runPult('user', 'add', username);
  return { username, password: /Password: (\S+)/.exec(stdout)?.[1] ?? '' };
}

/** Users of that number whose passwords cost nothing to check. */
async function addLightUsers(server: ServerProcess): Promise<Credentials[]> {
  const { client, close } = await connectClient(await findDatabase(server.dataDir));
  const added: Credentials[] = [];
  for (let number = 1; number <= accounts; number++) {
    const { username } = await addUser(server, accounts + number);
    await client.query('update users set password_hash = $1 where email = $2', [light.hash, username]);
    added.push({ username, password: light.password });
  }
  await close();
  return added;
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

/** A process of its own: the client that measures must not wait for it. */
function startLoad(settings: LoadSettings) {
  const child = fork(
    fileURLToPath(new URL('./logins/load.ts', import.meta.url)),
    [JSON.stringify(settings)],
    {
      execArgv: process.execArgv,
    },
  );
  return {
    begin: () => child.send('begin'),
    async end(): Promise<LoadReport> {
      child.send('end');
      // Its only message is the report.
      const [report] = (await once(child, 'message')) as [LoadReport];
      return report;
    },
    [Symbol.dispose]: () => child.kill(),
  };
}

print(await describeMachine());
await using server = await startServerProcess({ env: { LOG_LEVEL: 'warn' } });
const users: Credentials[] = [];
for (let number = 1; number <= accounts; number++) users.push(await addUser(server, number));

const lightUsers = await addLightUsers(server);

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

const situations = ['quiet', 'hashes', 'lightLogins', 'logins'] as const;
type Round = Record<(typeof situations)[number], number[]>;
const results: Record<string, Round[]> = {};
const loginTimes: number[] = [];
const loginStatuses: Record<number, number> = {};
{
  const common = { perSecond, port: server.port };
  using hashes = startLoad({ ...common, kind: 'hashes', users });
  using lightLogins = startLoad({ ...common, kind: 'logins', users: lightUsers });
  using logins = startLoad({ ...common, kind: 'logins', users });
  const measureBeside = async (load: ReturnType<typeof startLoad>, headers: Record<string, string>) => {
    load.begin();
    const measured = await measureCalls(server.port, headers);
    return { measured, report: await load.end() };
  };
  for (const headers of Object.values(callers)) await measureCalls(server.port, headers); // compiles the code
  for (let round = 0; round < rounds; round++) {
    for (const [name, headers] of Object.entries(callers)) {
      const quiet = await measureCalls(server.port, headers);
      const besideHashes = await measureBeside(hashes, headers);
      const besideLightLogins = await measureBeside(lightLogins, headers);
      const besideLogins = await measureBeside(logins, headers);
      const round: Round = {
        quiet,
        hashes: besideHashes.measured,
        lightLogins: besideLightLogins.measured,
        logins: besideLogins.measured,
      };
      results[name] = [...(results[name] ?? []), round];
      const { times, statuses } = besideLogins.report;
      loginTimes.push(...times);
      for (const [status, count] of Object.entries(statuses)) {
        loginStatuses[Number(status)] = (loginStatuses[Number(status)] ?? 0) + count;
      }
    }
  }
}

print(`\nGET users/me, ${rounds} rounds of ${seconds} s; ${perSecond} logins, or hashes elsewhere, a second`);
const rows = Object.entries(results).flatMap(([name, measured]) => {
  const at = (situation: keyof Round, share: number) =>
    median(measured.map((round) => percentile(round[situation], share)));
  const quiet = at('quiet', 0.99);
  const ratio = (situation: keyof Round) => at(situation, 0.99) / quiet;
  const judge = (situation: keyof Round) =>
    `${ratio(situation).toFixed(2)} × (≤ ${target} × ${ratio(situation) <= target ? 'met' : 'MISSED'})`;
  return [
    [
      name,
      ...situations.map(
        (situation) => `${at(situation, 0.5).toFixed(2)} / ${milliseconds(at(situation, 0.99))}`,
      ),
    ],
    ['  p99 to quiet', '', `${ratio('hashes').toFixed(2)} ×`, judge('lightLogins'), judge('logins')],
  ];
});
print(
  formatTable([['p50 / p99', 'quiet', 'hashing elsewhere', 'logins without hashing', 'logins'], ...rows]),
);
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
