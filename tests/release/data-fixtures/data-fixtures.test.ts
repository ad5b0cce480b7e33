import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@pult/contract';
import {
  builtPath,
  createTotpCode,
  makeTempDir,
  repositoryPath,
  runCommand,
  startServerProcess,
} from '@pult/testkit';
import { expect, test } from 'vitest';

interface Expected {
  email: string;
  password: string;
  totpSecret: string;
  organization: string;
  group: string;
  /** Descriptions by serial number. */
  controllers: Record<string, string>;
}

const folder = fileURLToPath(new URL('./backups', import.meta.url));
const versions = (await readdir(folder)).flatMap((name) => /^pult-(.+)\.tar\.gz$/.exec(name)?.[1] ?? []);

test('the present version has a backup that later ones are tried with', async () => {
  const { version } = JSON.parse(await readFile(repositoryPath('package.json'), 'utf8')) as {
    version: string;
  };
  expect(versions).toContain(version);
});

test.each(versions)(
  'a backup of Pult %s is restored, migrated and read, with all that was encrypted',
  async (version) => {
    const file = join(folder, `pult-${version}.tar.gz`);
    const text = await readFile(join(folder, `pult-${version}.json`), 'utf8');
    const expected = JSON.parse(text) as Expected;
    await using target = await makeTempDir('data-fixture');
    const dataDir = join(target.path, 'data');
    const restored = await runCommand(
      process.execPath,
      [builtPath('apps/server/dist/pult.js'), 'restore', file],
      {
        env: { DATA_DIR: dataDir, PUBLIC_URL: 'http://localhost:8080' },
      },
    );
    expect(restored, restored.stderr).toMatchObject({ code: 0 });
    await using server = await startServerProcess({ dataDir });
    const getLocale = () => 'en' as const;
    const code = createTotpCode(expected.totpSecret, new Date());
    const { access } = await createClient({ baseUrl: server.url, getLocale })('login', {
      body: { username: expected.email, password: expected.password, totpCode: code },
    });
    const call = createClient({
      baseUrl: server.url,
      getLocale,
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${access}` },
        }),
    });
    const organization = (await call('listOrganizations')).find(({ name }) => name === expected.organization);
    expect(organization).toBeDefined();
    const query = { organization_id: organization?.id ?? '' };
    expect((await call('listGroups', { query })).map(({ name }) => name)).toEqual([expected.group]);
    const { results } = await call('listControllers', { query });
    expect(
      Object.fromEntries(results.map(({ serialNumber, description }) => [serialNumber, description])),
    ).toEqual(expected.controllers);
    const rules = await call('listAlertRules', { params: { organizationId: organization?.id ?? '' } });
    expect(rules).toHaveLength(1);
    expect((await server.runPult('upgrade', 'check')).stdout).toContain('schema: up to date');
  },
  120_000,
);
