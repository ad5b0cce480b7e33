import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createInstallation, type Installation } from '../features/backups/backups.fixture.ts';
import { nameBackup } from '../features/backups/index.ts';
import { readDatabaseBytes, readSchemaState } from '../platform/db/migrate.ts';
import { version } from '../version.ts';
import { commands } from './commands.ts';

/** Of an earlier release. */
const schema = '0028-acme';
let installation: Installation;
let printed: string;

beforeAll(async () => {
  installation = await createInstallation({ schema, madeBy: version });
}, 120_000);
afterAll(() => installation.close());
beforeEach(() => {
  vi.stubEnv('DATA_DIR', installation.dataDir);
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('PULT_SETTINGS', '');
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});

/** Its lines, and whether it says that the start would fail. */
async function check({
  identity = [],
  isRehearsed = false,
}: {
  identity?: string[];
  isRehearsed?: boolean;
} = {}) {
  printed = '';
  process.exitCode = 0;
  const switches = new Set(isRehearsed ? ['rehearse'] : []);
  await commands['upgrade check']?.run([], { options: { identity }, switches });
  const isFailed = process.exitCode === 1;
  process.exitCode = 0;
  return { lines: printed.trim().split('\n').slice(1), isFailed };
}

it('says what the start will change, how long that takes, what room it wants, and that there is no backup', async () => {
  const { lines, isFailed } = await check();
  expect(isFailed).toBe(false);
  expect(lines).toEqual([
    expect.stringMatching(/^warn schema: the start makes \d+ changes: 0029-connection-kind-order, 0030-/),
    expect.stringMatching(/^ok {3}time: about \d+\.\d s for the changes, in which nobody is served/),
    expect.stringMatching(/^ok {3}backup: the start makes one in \S+\/backups first/),
    expect.stringMatching(/^ok {3}space: \d+ MB free in \S+, \d+ MB wanted$/),
    expect.stringMatching(/^warn backup: none in \S+\/backups$/),
  ]);
});

it('wants less room where the start makes no backup, and warns of that', async () => {
  const wanted = (lines: string[]) => Number(/(\d+) MB wanted/.exec(lines.join('\n'))?.[1]);
  const { lines: before } = await check();
  vi.stubEnv('BACKUP_BEFORE_MIGRATION', 'false');
  const { lines } = await check();
  expect(lines).toContain('warn backup: the start makes none before it changes the schema');
  const databaseBytes = await readDatabaseBytes(installation.database.db);
  expect(wanted(before) - wanted(lines)).toBeGreaterThanOrEqual(Math.floor(databaseBytes / 1_000_000));
  expect(wanted(lines)).toBeGreaterThan(256);
});

it('looks at the age of the newest backup', async () => {
  const folder = join(installation.dataDir, 'backups');
  await mkdir(folder, { recursive: true });
  const old = nameBackup(new Date(Date.now() - 25 * 3_600_000), []);
  await writeFile(join(folder, old), '');
  // Of a clock that was wrong: it says nothing of the last day.
  const wrong = nameBackup(new Date(Date.now() + 25 * 3_600_000), []);
  await writeFile(join(folder, wrong), '');
  const { lines } = await check();
  await rm(join(folder, wrong));
  expect(lines.at(-1)).toContain(
    `warn backup: the newest in ${folder} is ${old}, older than a day: make one by `,
  );
});

it('names settings that this version does not read, in the file that the server reads', async () => {
  const file = installation.path('pult.env');
  await writeFile(file, 'PORT=8080\nPULT_OLD_THING=1\n');
  vi.stubEnv('PULT_SETTINGS', file);
  const { lines } = await check();
  expect(lines.at(-1)).toBe(`warn settings: ${file} has what this version does not read: PULT_OLD_THING`);
  await writeFile(file, 'PORT=8080\n');
  expect((await check()).lines.at(-1)).toBe(`ok   settings: all of ${file} are known`);
});

it('a rehearsal asks for the key of an encrypted backup, makes the changes to that, and tells the time of each', async () => {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const file = installation.path('key.txt');
  await writeFile(file, identity);
  const name = nameBackup(new Date(), [recipient]);
  await installation.back(`data/backups/${name}`, { recipients: [recipient] });
  const without = await check({ isRehearsed: true });
  expect(without.isFailed).toBe(true);
  expect(without.lines.at(-1)).toBe(`fail rehearsal: ${name} is encrypted: --identity KEYFILE opens it`);
  const { lines, isFailed } = await check({ isRehearsed: true, identity: [file] });
  expect(isFailed, lines.at(-1)).toBe(false);
  expect(lines.at(-1)).toMatch(
    /^ok {3}rehearsal: pult-\S+ was restored in \S+ s and changed in \S+ s: 0029-connection-kind-order \d+\.\d s, 0030-/,
  );
  // It was made to a copy: here all is as it was, and nothing of the copy is left.
  expect((await readSchemaState(installation.database.db)).current).toBe(schema);
  expect((await readdir(installation.dataDir)).filter((entry) => entry.startsWith('scratch-'))).toEqual([]);
}, 300_000);

it('a rehearsal with what is no backup says so', async () => {
  const name = nameBackup(new Date(Date.now() + 4_000), []);
  await writeFile(join(installation.dataDir, 'backups', name), 'not a backup');
  const { lines, isFailed } = await check({ isRehearsed: true });
  expect(isFailed).toBe(true);
  expect(lines.at(-1)).toMatch(new RegExp(`^fail rehearsal: ${name}: .*no backup of Pult`));
}, 60_000);
