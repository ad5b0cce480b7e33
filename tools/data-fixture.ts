/**
 * Makes the backup of this version that each later one has to open: `npm run data-fixture`, once before a release. The server
 * of this version makes it, with what it writes in each of the ways that a later one must read.
 */

import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createApiClient,
  createTotpCode,
  ResourceStack,
  startAgentProcess,
  startServerProcess,
} from '@pult/testkit';
import { ensureBuilt } from './build.mjs';
import { root } from './processes.mjs';
import { PlainError, print } from './terminal.mjs';

const folder = join(root, 'tests/release/data-fixtures/backups');
const mostBytes = 6 * 1024 * 1024;
/** Nobody is there: they are told of, not connected to. */
const nobody = '127.0.0.1:9';
/** Serial numbers and descriptions. */
const controllers = { 'FIXTURE-1': 'Тёплый пол', 'FIXTURE-2': 'Котёл № 2' };

export async function main(): Promise<void> {
  await ensureBuilt();
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const stack = new ResourceStack();
  try {
    const server = stack.use(await startServerProcess());
    const { call } = await createApiClient({
      baseUrl: server.url,
      username: server.adminEmail,
      password: server.adminPassword,
    });
    const organization = (await call('createOrganization', { body: { name: 'Котельные' } })).id;
    const group = (await call('createGroup', { body: { name: 'Щитовая № 1', organization } })).id;
    for (const [serialNumber, description] of Object.entries(controllers)) {
      const agent = stack.use(
        await startAgentProcess({ serverUrl: server.url, serialNumber, http: nobody, ssh: nobody }),
      );
      const { token } = await agent.waitForActivation();
      await call('activateController', { body: { token, organization } });
      await call('updateController', { params: { serialNumber }, body: { description, group } });
      await agent.halt();
    }
    await call('createAlertRule', { params: { organizationId: organization }, body: {} });
    const { secret } = await call('setUpTotp');
    await call('activateTotp', { body: { code: createTotpCode(secret, new Date()) } });
    await mkdir(folder, { recursive: true });
    const file = join(folder, `pult-${version}.tar.gz`);
    await rm(file, { force: true });
    const made = await server.runPult('backup', 'create', file);
    if (made.code !== 0) throw new PlainError(made.stderr);
    const { size } = await stat(file);
    if (size > mostBytes) throw new PlainError(`The backup has ${size} bytes, more than ${mostBytes}.`);
    const expected = {
      email: server.adminEmail,
      password: server.adminPassword,
      totpSecret: secret,
      organization: 'Котельные',
      group: 'Щитовая № 1',
      controllers,
    };
    await writeFile(join(folder, `pult-${version}.json`), `${JSON.stringify(expected, null, 2)}\n`);
    print(`\n  ${file}: ${size} bytes\n`);
  } finally {
    await stack[Symbol.asyncDispose]();
  }
}
