import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Permission } from '@pult/contract';
import { freePort, makeTempDir, runCommand } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim, getOrganizationId, type Site, startSite } from './site.ts';

/** The built command line against a real server, a real agent and OpenSSH. */

const program = fileURLToPath(new URL('../../apps/cli/dist/pult.mjs', import.meta.url));
let site: Site;
let home: Awaited<ReturnType<typeof makeTempDir>>;
let token: string;

beforeAll(async () => {
  site = await startSite({ serverEnv: { SSH_JUMP_PORT: String(await freePort()) } });
  await claim(site);
  home = await makeTempDir('cli');
  token = await addToken(['controllers.read', 'controllers.update', 'tunnels.open', 'diagnostics.request']);
}, 120_000);
afterAll(async () => {
  await home?.remove();
  await site?.[Symbol.asyncDispose]();
});

async function addToken(scopes: Permission[]): Promise<string> {
  const made = await site.api.call('createToken', { body: { name: 'Command line', scopes } });
  return made.token;
}

const pult = (args: string[], env: Record<string, string> = {}, input = '') =>
  runCommand(process.execPath, [program, ...args], {
    input,
    env: { PATH: process.env.PATH ?? '', HOME: home.path, PULT_SERVER: site.server.url, PULT_TOKEN: token, ...env },
  });
const identity = async () => {
  const path = join(home.path, 'identity');
  await writeFile(path, site.ssh.clientKey.privateKey, { mode: 0o600 });
  return path;
};

test('a login is kept for its user alone, and for its server alone', async () => {
  const env = { PULT_SERVER: '', PULT_TOKEN: '' };
  expect(await pult(['ls'], env)).toMatchObject({ code: 3, stderr: expect.stringContaining('Log in first') });
  const login = await pult(['login', `${site.server.url}/organizations`], env, `${token}\n`);
  expect(login).toMatchObject({ code: 0, stderr: expect.stringContaining(site.server.adminEmail) });
  expect(login.stdout + login.stderr).not.toContain(token);
  const path = join(home.path, '.config/pult/login.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ server: site.server.url, token });
  expect(await pult(['ls'], env)).toMatchObject({ code: 0 });
  // Another server is not told the token of this one.
  const elsewhere = await pult(['ls'], { ...env, PULT_SERVER: 'http://localhost:1' });
  expect(elsewhere).toMatchObject({ code: 3, stderr: expect.stringContaining('no token for http://localhost:1') });
  await pult(['logout'], env);
  expect(await pult(['ls'], env)).toMatchObject({ code: 3 });
  expect(await pult(['login', site.server.url, '--token', 'pult_pat_wrong'], env)).toMatchObject({ code: 3 });
});

test('ls lists the controllers as a table, JSON and CSV, and takes a filter', async () => {
  const table = await pult(['ls']);
  expect(table.stdout).toMatch(new RegExp(`^SERIAL .*\\n${site.serialNumber} +online `));
  expect(JSON.parse((await pult(['ls', '-o', 'json'])).stdout)).toMatchObject([
    { serialNumber: site.serialNumber },
  ]);
  expect((await pult(['ls', '-o', 'csv'])).stdout).toMatch(/^serial,status,.*\r\n/);
  expect(JSON.parse((await pult(['ls', 'no such thing', '--json'])).stdout)).toEqual([]);
  expect(await pult(['ls', '-o', 'xml'])).toMatchObject({ code: 2, stdout: '' });
});

test('show tells of one controller, and the exit code what is missing: the thing, the right or the server', async () => {
  const shown = await pult(['show', site.serialNumber.toLowerCase()]);
  expect(shown.stdout).toMatch(/^status +online$/m);
  const json = JSON.parse((await pult(['show', site.serialNumber, '--json'])).stdout);
  expect(json).toMatchObject({ serialNumber: site.serialNumber, status: 'online' });
  expect(await pult(['show', 'NO-SUCH-1'])).toMatchObject({ code: 5, stdout: '' });
  const weak = await addToken(['alerts.read']);
  expect(await pult(['show', site.serialNumber], { PULT_TOKEN: weak })).toMatchObject({ code: 4 });
  expect(await pult(['ls'], { PULT_SERVER: 'http://127.0.0.1:9' })).toMatchObject({ code: 6 });
  expect(await pult(['show'])).toMatchObject({ code: 2 });
  expect(await pult(['fly'])).toMatchObject({ code: 2 });
});

test('api makes any call, in words of the shell’s language, and sends the token to no other place', async () => {
  const data = ['--data', '{"description":"Котельная"}'];
  const changed = await pult(['api', 'PATCH', `controllers/${site.serialNumber}/`, ...data]);
  expect(JSON.parse(changed.stdout)).toMatchObject({ description: 'Котельная' });
  const refused = await pult(['api', 'GET', 'auth/sessions/'], { LANG: 'ru_RU.UTF-8' });
  expect(refused).toMatchObject({ code: 4, stderr: 'С токеном это недоступно: нужен вход в консоль.\n' });
  for (const path of ['https://evil.example/api/v1/', '//evil.example/api/v1/', '/api/v1/../../metrics', '/metrics']) {
    expect(await pult(['api', 'GET', path])).toMatchObject({ code: 2 });
  }
  expect((await pult(['api', '--list'])).stdout).toContain('/api/v1/users/me/tokens/');
});

test('ssh logs in through the jump host with a key of its own, and passes input, output and the exit code', async () => {
  const target = `${site.ssh.user}@${site.serialNumber}`;
  const answer = await pult(
    ['ssh', '-i', await identity(), target, '--', 'cat; echo oops >&2; exit 7'],
    {},
    'hello',
  );
  expect(answer).toMatchObject({ code: 7, stdout: 'hello' });
  expect(answer.stderr).toContain('oops');
  expect(await site.api.call('listSshKeys')).toEqual([]);
});

test('cp carries a file there and back', async () => {
  const [here, back] = [join(home.path, 'here'), join(home.path, 'back')];
  const there = `${site.ssh.user}@${site.serialNumber}:${join(site.ssh.folder, 'copied')}`;
  await writeFile(here, 'content');
  expect(await pult(['cp', '-i', await identity(), here, there])).toMatchObject({ code: 0 });
  expect(await pult(['cp', '-i', await identity(), there, back])).toMatchObject({ code: 0 });
  expect(await readFile(back, 'utf8')).toBe('content');
  expect(await pult(['cp', here, back])).toMatchObject({ code: 2 });
});

test('the inventory has what Ansible reads: groups of the tree, and a connection by its own command', async () => {
  const organization = await getOrganizationId(site);
  const group = await site.api.call('createGroup', { body: { name: 'Дом № 5 / Boilers', organization } });
  const params = { groupId: group.id };
  await site.api.call('attachControllers', { params, body: { controllers: [site.serialNumber] } });
  const reading = await addToken(['controllers.read']);
  const { stdout } = await pult(['inventory', '--list'], { PULT_TOKEN: reading });
  const found = JSON.parse(stdout);
  expect(found.group_5_boilers).toEqual({ hosts: [site.serialNumber], vars: { pult_name: 'Дом № 5 / Boilers' } });
  expect(found.all).toEqual({ children: ['group_5_boilers', 'ungrouped'] });
  const vars = found._meta.hostvars[site.serialNumber];
  expect(vars).toMatchObject({ ansible_host: site.serialNumber, ansible_user: 'root', pult_status: 'online' });
  expect(JSON.parse((await pult(['inventory', '--host', site.serialNumber])).stdout)).toEqual(vars);
  // The words of Ansible's ssh: the option, and its value without the quotes of the shell.
  const command = /^-o ProxyCommand='(.*)'$/.exec(vars.ansible_ssh_common_args)?.[1] ?? '';
  const options = ['-F', '/dev/null', '-o', `ProxyCommand=${command}`, '-o', 'BatchMode=yes'];
  const trust = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-i', await identity()];
  const env = { PATH: process.env.PATH ?? '', HOME: home.path, PULT_SERVER: site.server.url, PULT_TOKEN: token };
  const login = [...options, ...trust, `${site.ssh.user}@${vars.ansible_host}`, 'echo by ansible'];
  expect(await runCommand('ssh', login, { env })).toMatchObject({ code: 0, stdout: 'by ansible\n' });
});

test('open writes an address that opens the web interface once', async () => {
  const { stdout } = await pult(['open', site.serialNumber, '--print']);
  expect(stdout).toMatch(/^http:\/\/t\d+\.http\.localhost:\d+\/\S+\n$/);
  expect(stdout).not.toContain(token);
});

test('diag saves the archive', async () => {
  const file = join(home.path, 'archive.tar.gz');
  expect(await pult(['diag', site.serialNumber, '-o', file])).toMatchObject({ code: 0 });
  expect([...(await readFile(file)).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
});

test('the completion is a script that bash takes, and knows the commands', async () => {
  const { stdout } = await pult(['completion', 'bash']);
  const script = `${stdout}\nCOMP_WORDS=(pult in); COMP_CWORD=1; _pult; echo "\${COMPREPLY[@]}"`;
  expect(await runCommand('bash', ['-c', script])).toMatchObject({ code: 0, stdout: 'inventory\n' });
});
