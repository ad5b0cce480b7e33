import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireLock, LockedError } from './index.ts';
import { readOwnIdentity } from './process-identity.ts';

const fixture = fileURLToPath(new URL('contender.fixture.ts', import.meta.url));
const contenders: ChildProcess[] = [];
let folder: string;
let count = 0;

const newPath = () => join(folder, `lock ${count++}`);

async function startContender(): Promise<ChildProcess> {
  const child = fork(fixture, { execArgv: ['--import', 'tsx'] });
  contenders.push(child);
  await once(child, 'message');
  return child;
}

async function ask(child: ChildProcess, message: object | 'release'): Promise<string> {
  const answer = once(child, 'message');
  child.send(message);
  return String((await answer)[0]);
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pult lock замок '));
  await Promise.all(Array.from({ length: 8 }, startContender));
}, 60_000);

afterAll(async () => {
  await Promise.all(
    contenders.filter((child) => child.exitCode === null && child.signalCode === null).map(kill),
  );
  await rm(folder, { recursive: true });
});

it('names the other process and the folder, and is free again after release', async () => {
  const path = newPath();
  const lock = await acquireLock(path);
  const error = await acquireLock(path).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LockedError);
  expect(String(error)).toContain(`process ${process.pid}`);
  expect(String(error)).toContain(folder);
  await lock.release();
  await lock.release();
  await (await acquireLock(path)).release();
});

it('the lock is won by exactly one of many processes at once, in 50 rounds with a stale lock there', async () => {
  const own = await readOwnIdentity();
  // The pid lives, the process it meant does not: the start time differs.
  const stale = JSON.stringify({ owner: { ...own, pid: process.pid, startTime: '1' } });
  for (let round = 0; round < 50; round++) {
    const path = newPath();
    await mkdir(path);
    await writeFile(join(path, '7'), round % 5 === 0 ? '{"owner":{"pi' : stale);
    const at = Date.now() + 15;
    const answers = await Promise.all(contenders.map((child) => ask(child, { path, at })));
    const winner = contenders[answers.indexOf('won')];
    const losers = answers.filter((answer) => answer === `lost to ${winner?.pid}`);
    expect(losers, answers.join()).toHaveLength(contenders.length - 1);
    if (winner) await ask(winner, 'release');
  }
}, 60_000);

it('the lock is handed on without a gap while many ask for it again and again', async () => {
  const path = newPath();
  for (let round = 0; round < 50; round++) {
    const answers = await Promise.all(
      contenders.map(async (child) => {
        const answer = await ask(child, { path, at: 0 });
        if (answer === 'won') await ask(child, 'release');
        return answer;
      }),
    );
    expect(answers.filter((answer) => !/^(won|lost to \d+)$/.test(answer))).toEqual([]);
    expect(answers).toContain('won');
  }
  const names = await readdir(path);
  expect(names.filter((name) => name.startsWith('draft'))).toEqual([]);
  expect(names.length).toBeLessThan(20);
}, 60_000);

it('outlives no kill -9', async () => {
  const path = newPath();
  const child = await startContender();
  expect(await ask(child, { path, at: 0 })).toBe('won');
  await expect(acquireLock(path)).rejects.toThrow(`process ${child.pid}`);
  await kill(child);
  await (await acquireLock(path)).release();
});

it('takes a lock from before the last start of the machine', async () => {
  const path = newPath();
  await mkdir(path);
  const owner = { ...(await readOwnIdentity()), bootId: 'earlier' };
  await writeFile(join(path, '1'), JSON.stringify({ owner }));
  await utimes(join(path, '1'), 1, 1);
  await (await acquireLock(path)).release();
});

it('sees a holder in another container by its heartbeat', async () => {
  const path = newPath();
  const lock = await acquireLock(path);
  const [claim = ''] = await readdir(path);
  const owner = { ...JSON.parse(await readFile(join(path, claim), 'utf8')).owner, pidNamespace: 'pid:[1]' };
  await writeFile(join(path, claim), JSON.stringify({ owner }));
  await expect(acquireLock(path)).rejects.toBeInstanceOf(LockedError);
  await lock.release();
}, 15_000);
