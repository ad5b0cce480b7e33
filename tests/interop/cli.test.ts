import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { Permission } from '@pult/contract';
import {
  agentNodes,
  builtPath,
  findNode,
  freePort,
  HttpClient,
  makeTempDir,
  poll,
  RunningProcess,
  runCommand,
} from '@pult/testkit';
import { listen } from '@pult/testkit/in-test';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { claim, getOrganizationId, type Site, startSite } from './site.ts';

/** The built command line against a real server and a real agent. */

const program = builtPath('apps/cli/dist/pult.mjs');
const [oldest] = agentNodes;
const oldestNode = oldest && (await findNode(oldest));
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
  const made = await site.api.call('createToken', {
    body: { name: 'Command line', scopes, expiresAt: null },
  });
  return made.token;
}

const envOf = (env: Record<string, string> = {}) => ({
  HOME: home.path,
  TMPDIR: home.path,
  XDG_CONFIG_HOME: '',
  PULT_SERVER: site.server.url,
  PULT_TOKEN: token,
  LANG: 'C.UTF-8',
  ...env,
});
const pult = (args: string[], env?: Record<string, string>, input = '') =>
  runCommand(process.execPath, [program, ...args], { input, env: envOf(env) });
const waitForFile = new URL('./wait-for-file.mjs', import.meta.url).href;
/** Without an input, as at a terminal that shows what the command notes. It asks the server when it is told to. */
function atTerminal(args: string[], env: Record<string, string>) {
  const command = [process.execPath, '--import', waitForFile, program, ...args].join(' ');
  const answered = join(home.path, randomUUID());
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, ...envOf(env), WAIT_FOR_FILE: answered },
  });
  let shown = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  return { shown: () => shown, closed: once(terminal, 'close'), ask: () => writeFile(answered, '') };
}

const readCode = ({ shown }: ReturnType<typeof atTerminal>) =>
  poll(() => /code ([A-Z]{4}-[A-Z]{4})\./.exec(shown())?.[1], { what: 'the code is shown' });

test('a login is kept for its user alone, and for its server alone, and is shown nowhere', async () => {
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
  expect(elsewhere).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no token for http://localhost:1'),
  });
  await pult(['logout'], env);
  expect(await pult(['ls'], env)).toMatchObject({ code: 3 });
  const wrong = await pult(['login', site.server.url, '--token', `${token}x`], env);
  expect(wrong).toMatchObject({ code: 3, stdout: '' });
  expect(wrong.stderr).not.toContain(token);
});

test('login shows a code, and is let in with what is chosen in the console where it is entered', async () => {
  const env = { PULT_SERVER: '', PULT_TOKEN: '', XDG_CONFIG_HOME: join(home.path, 'by-code') };
  const login = atTerminal(['login', site.server.url, '--scopes', 'controllers.read,tunnels.open'], env);
  const code = await readCode(login);
  expect(login.shown()).toContain(`${site.server.url}/device `);
  const found = await site.api.call('findDeviceLogin', { body: { userCode: code } });
  expect(found).toMatchObject({ hostName: hostname(), scopes: ['controllers.read', 'tunnels.open'] });
  const body = { userCode: code, scopes: ['controllers.read' as const] };
  await site.api.call('approveDeviceLogin', { body });
  await login.ask();
  expect(await login.closed).toEqual([0, null]);
  expect(login.shown()).toContain('Logged in to ');
  expect(login.shown()).not.toContain('pult_pat_');
  expect(await pult(['ls'], env)).toMatchObject({ code: 0 });
  expect(await pult(['open', site.serialNumber, '--print'], env)).toMatchObject({ code: 4 });

  const refused = atTerminal(['login', site.server.url], env);
  const userCode = await readCode(refused);
  await site.api.call('denyDeviceLogin', { body: { userCode } });
  await refused.ask();
  expect(await refused.closed).toEqual([1, null]);
  expect(refused.shown()).toContain('The program was refused');
});

test('ls lists the controllers as a table, JSON and CSV, and takes filters', async () => {
  const table = await pult(['ls', site.serialNumber.toLowerCase(), '--status', 'online']);
  expect(table.stdout).toMatch(new RegExp(`^SERIAL .*\\n${site.serialNumber} +online `));
  expect(JSON.parse((await pult(['ls', '-o', 'json'])).stdout)).toMatchObject([
    { serialNumber: site.serialNumber },
  ]);
  expect((await pult(['ls', '-o', 'csv'])).stdout).toMatch(/^serial,status,.*\r\n/);
  expect(JSON.parse((await pult(['ls', 'no such thing', '--json'])).stdout)).toEqual([]);
  expect(JSON.parse((await pult(['ls', '--status', 'never', '--json'])).stdout)).toEqual([]);
  expect(await pult(['ls', '--status', 'asleep'])).toMatchObject({ code: 1, stdout: '' });
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
});

test('api makes any call, in words of the shell’s language', async () => {
  const data = ['--data', '{"description":"Котельная"}'];
  const changed = await pult(['api', 'PATCH', `controllers/${site.serialNumber}/`, ...data]);
  expect(JSON.parse(changed.stdout)).toMatchObject({ description: 'Котельная' });
  const read = await pult(
    ['api', 'patch', `/api/v1/controllers/${site.serialNumber}/`, '-d', '-'],
    {},
    data[1],
  );
  expect(read).toEqual(changed);
  const refused = await pult(['api', 'GET', 'users/me/ssh-keys/'], { LANG: 'ru_RU.UTF-8' });
  expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/^[А-Я][а-я ]+/) });
  const wrong = await pult(['api', 'PATCH', `controllers/${site.serialNumber}/`, '--data', '{"height":1}']);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect((await pult(['api', '--list'])).stdout).toContain('/api/v1/users/me/tokens/');
});

test('the inventory has what Ansible reads, by a token that may read controllers and nothing else', async () => {
  const organization = await getOrganizationId(site);
  const group = await site.api.call('createGroup', { body: { name: 'Дом № 5 / Boilers', organization } });
  const params = { groupId: group.id };
  await site.api.call('attachControllers', { params, body: { controllers: [site.serialNumber] } });
  const reading = { PULT_TOKEN: await addToken(['controllers.read']) };
  const found = JSON.parse((await pult(['inventory', '--list'], reading)).stdout);
  expect(found.group_5_boilers).toEqual({
    hosts: [site.serialNumber],
    vars: { pult_name: 'Дом № 5 / Boilers' },
  });
  expect(found.all).toEqual({ children: ['group_5_boilers', 'ungrouped'] });
  const vars = found._meta.hostvars[site.serialNumber];
  expect(vars).toMatchObject({ ansible_host: site.serialNumber, pult_status: 'online' });
  const host = await pult(['inventory', '--host', site.serialNumber], reading);
  expect(JSON.parse(host.stdout)).toEqual(vars);
});

/** The key of the device's own account, which people have in their `~/.ssh`. */
const identity = () => ['-i', site.ssh.clientKey.path];
const target = () => `${site.ssh.user}@${site.serialNumber}`;

test('ssh logs in through the jump host with a key of its own, and passes input, output and the exit code', async () => {
  const answer = await pult(
    ['ssh', ...identity(), target(), '--', 'cat; echo oops >&2; exit 7'],
    {},
    'hello',
  );
  expect(answer).toMatchObject({ code: 7, stdout: 'hello' });
  expect(answer.stderr).toContain('oops');
  expect(await site.api.call('listSshKeys')).toEqual([]);
  expect((await readdir(home.path)).filter((name) => name.startsWith('pult-ssh-'))).toEqual([]);
  // The word behind `--` is the command's, not one more option.
  const option = await pult(['ssh', ...identity(), target(), '--', '-V']);
  expect(option.stderr).not.toContain('OpenSSH');
  expect(option.code).not.toBe(0);
  const weak = { PULT_TOKEN: await addToken(['controllers.read']) };
  expect(await pult(['ssh', ...identity(), target(), '--', 'true'], weak)).toMatchObject({ code: 4 });
});

test('ssh trusts no other key of a jump host than the one that the server tells', async () => {
  const other = createServer((request, response) => {
    const body = request.url?.includes('environments')
      ? { SSH_JUMP: { ...jump, hostKeyFingerprint: `SHA256:${'A'.repeat(43)}` } }
      : { user: site.server.adminEmail, fingerprint: '', expiresAt: '' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { SSH_JUMP: jump } = await site.api.call('getEnvironments');
  const server = `http://127.0.0.1:${await listen(other)}`;
  const refused = await pult(['ssh', target(), '--', 'true'], { PULT_SERVER: server });
  expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('does not show the key') });
});

test('cp carries a file there and back', async () => {
  const [here, back] = [join(home.path, 'here'), join(home.path, 'back')];
  const there = `${target()}:${join(site.ssh.folder, 'copied')}`;
  await writeFile(here, 'content');
  expect(await pult(['cp', ...identity(), here, there])).toMatchObject({ code: 0 });
  expect(await pult(['cp', ...identity(), there, back])).toMatchObject({ code: 0 });
  expect(await readFile(back, 'utf8')).toBe('content');
  expect(await pult(['cp', ...identity(), `${there}-gone`, back])).toMatchObject({ code: 1 });
});

test('the words that the inventory gives to Ansible connect by OpenSSH', async () => {
  const { stdout } = await pult(['inventory', '--host', site.serialNumber]);
  const { ansible_ssh_common_args: words, ansible_host: host } = JSON.parse(stdout);
  const rest = `-F /dev/null -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -i ${site.ssh.clientKey.path}`;
  const line = `ssh ${words} ${rest} ${site.ssh.user}@${host} 'echo by ansible'`;
  const answer = await runCommand('sh', ['-c', line], { env: envOf() });
  expect(answer).toMatchObject({ code: 0, stdout: 'by ansible\n' });
});

test('open writes an address that opens the web interface', async () => {
  const { stdout } = await pult(['open', site.serialNumber, '--print']);
  expect(new URL(stdout).hostname).toBe(new URL(site.tunnelUrl).hostname);
  const answer = await new HttpClient().request(stdout.trim(), { followRedirects: true });
  expect(await answer.text()).toContain('Boiler room');
  expect(JSON.parse((await pult(['open', site.serialNumber, '--json'])).stdout)).toMatchObject({
    url: expect.stringMatching(/^http:/),
  });
  expect(await pult(['open', site.serialNumber, '--service', '1', '--print'])).toMatchObject({ stdout: '' });
});

test('diag saves the archive', async () => {
  const file = join(home.path, 'archive.tar.gz');
  await writeFile(`${file}.part`, 'left by a run that was ended');
  expect(await pult(['diag', site.serialNumber, '-o', file])).toMatchObject({ code: 0 });
  expect([...(await readFile(file)).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('admin is the form of the commands on the server’s machine, and the form without it stays', async () => {
  const [short, long] = [await site.server.runPult('config'), await site.server.runPult('admin', 'config')];
  expect(long).toEqual({ ...short, code: 0 });
  // Of no installation: the command line finds the server's program, and passes words and code on.
  const unknown = await pult(['admin', 'no', '--such', 'thing']);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('user add') });
});

test.skipIf(!oldestNode)(`the command line runs on Node.js ${oldest?.version}`, async () => {
  const answer = await runCommand(oldestNode ?? '', [program, 'ls', '--json'], { env: envOf() });
  expect(JSON.parse(answer.stdout)).toMatchObject([{ serialNumber: site.serialNumber }]);
});

/** The PostgreSQL of these tests may listen in a folder alone: a port that leads to it. */
async function openDatabasePort(): Promise<number> {
  const { host, port } = inject('databaseServer');
  const server = createTcpServer((inbound) => {
    const outbound = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    pipeline(inbound, outbound, inbound, () => {});
  });
  return listen(server);
}

test('forward carries PostgreSQL to a port of this computer, and is refused by name and by right', async () => {
  const [port, local] = [await openDatabasePort(), await freePort()];
  const admin = await addToken(['tunnels.open', 'tunnels.forward']);
  await using running = new RunningProcess({
    name: 'pult forward',
    command: process.execPath,
    args: [program, 'forward', site.serialNumber, `${port}:${local}`],
    env: envOf({ PULT_TOKEN: admin }),
  });
  await running.waitForLine(new RegExp(`127\\.0\\.0\\.1:${local} leads to port ${port}`));
  const { user, password } = inject('databaseServer');
  const query = "select repeat('x', 100) from generate_series(1, 100000)";
  // Not the template of the other tests' databases, which nobody may use meanwhile.
  const address = ['-h', '127.0.0.1', '-p', String(local), '-U', user, 'postgres'];
  const ask = () => runCommand('psql', [...address, '-Atc', query], { env: { PGPASSWORD: password } });
  const answers = await Promise.all([ask(), ask(), ask()]);
  for (const { code, stdout } of answers) expect([code, stdout.length]).toEqual([0, 10_100_000]);
  running.signal('SIGINT');
  expect(await running.exited).toEqual({ code: 0, signal: null });
  expect((await ask()).code).not.toBe(0);

  const weak = await pult(['forward', site.serialNumber, String(port)]);
  expect(weak).toMatchObject({ code: 4, stderr: expect.stringContaining('tunnels.forward') });
  expect(await pult(['forward', 'NO-SUCH-1', '5432'])).toMatchObject({ code: 5 });
  const free = createServer();
  const taken = await listen(free);
  const refused = await pult(['forward', site.serialNumber, `5432:${taken}`], { PULT_TOKEN: admin });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Port ${taken} of this computer`),
  });
});
