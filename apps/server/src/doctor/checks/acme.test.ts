import { join } from 'node:path';
import { makeTempDir } from '@pult/testkit';
import { createTestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import type { AcmeCertificateTable } from '../../platform/db/schema.ts';
import { examine } from '../doctor.ts';
import { acme } from './acme.ts';

async function setUp() {
  const folder = await makeTempDir('doctor-acme');
  const server = await createTestServer();
  onTestFinished(async () => {
    await server.close();
    await folder.remove();
  });
  const { host, port, user, password } = inject('databaseServer');
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.db);
  const url = new URL('postgresql://localhost');
  Object.assign(url, { username: user, password, pathname: rows[0]?.name ?? '' });
  url.search = new URLSearchParams({ host, port: String(port) }).toString();
  const env = {
    DATA_DIR: join(folder.path, 'data'),
    DATABASE_URL: url.href,
    PUBLIC_URL: 'https://pult.test',
    SSH_JUMP_PORT: '0',
    ACME_EMAIL: 'operator@pult.test',
    ACME_DIRECTORY: 'https://127.0.0.1:1/dir',
  };
  const ask = async (more: Record<string, string> = {}) => {
    const config = loadConfig(readEnvironment({ env: { ...env, ...more }, directory: null }), {
      version: '',
    });
    return (await examine(config, [acme], 5_000)).findings;
  };
  const tell = (row: Partial<Record<keyof AcmeCertificateTable, unknown>>) =>
    sql`insert into acme_certificates ${sql.raw(`(${Object.keys(row).join(', ')})`)}
      values (${sql.join(Object.values(row))})`.execute(server.db);
  return { ask, tell };
}

test('the doctor says why there is no certificate and what to do, as the server has found it', async () => {
  const { ask, tell } = await setUp();
  const before = await ask();
  expect(before.map(({ status, text }) => `${status} ${text.en}`)).toEqual([
    expect.stringMatching(/^fail the authority at 127\.0\.0\.1:1 cannot be asked: /),
    'warn there is no certificate for pult.test yet',
    'warn there is no certificate for *.http.pult.test: browsers refuse the web interfaces of controllers',
  ]);
  await tell({
    name: 'server',
    wanted: '',
    failures: 2,
    problem: JSON.stringify({ en: 'The authority finds no address', ru: 'Адреса не нашлось' }),
    advice: JSON.stringify({ en: 'Make a record.', ru: 'Заведите запись.' }),
    next_try_at: new Date('2030-01-01T00:00:00Z'),
  });
  expect((await ask())[1]).toMatchObject({
    status: 'fail',
    text: {
      en: 'The authority finds no address (2 in a row, for pult.test; the next try is at 2030-01-01T00:00:00.000Z)',
      ru: 'нет нового сертификата для pult.test, неудач подряд: 2, следующая попытка 2030-01-01T00:00:00.000Z. Адреса не нашлось',
    },
    action: { en: 'Make a record.', ru: 'Заведите запись.' },
  });
});

test('the doctor says when a certificate is renewed, and that a program cannot be run', async () => {
  const { ask, tell } = await setUp();
  await tell({ name: 'server', wanted: '', chain: 'PEM', renew_at: new Date('2030-02-03T00:00:00Z') });
  const found = (await ask({ ACME_DNS_HOOK: '/none/hook' })).map(
    ({ status, text }) => `${status} ${text.en}`,
  );
  expect(found).toContain('ok the certificate for pult.test is renewed on 2030-02-03');
  expect(found).toContain('warn there is no certificate for *.http.pult.test yet');
  expect(found).toContainEqual(expect.stringMatching(/^fail \/none\/hook cannot be run: ENOENT/));
});

test('the doctor says nothing of an authority where certificates come from files', async () => {
  const config = loadConfig(readEnvironment({ env: {}, directory: null }), { version: '' });
  expect((await examine(config, [acme], 5_000)).findings).toEqual([]);
});
