import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { makeTempDir, repositoryPath } from '@pult/testkit';
import { listen } from '@pult/testkit/in-test';
import { expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { documentCommands } from './help.ts';
import { run } from './run.ts';

async function runWith(words: string[], env: Record<string, string> = {}, { isTerminal = false } = {}) {
  const said = { stdout: '', stderr: '' };
  const code = await run(words, {
    env: { HOME: '/nonexistent', ...env },
    write: (text) => (said.stdout += typeof text === 'string' ? text : new TextDecoder().decode(text)),
    note: (text) => (said.stderr += text),
    isTerminal,
    readInput: async () => '',
    isTyped: false,
  });
  return { code, ...said };
}

test('no command tells all of them, and each tells of itself', async () => {
  const alone = await runWith([]);
  expect(alone).toMatchObject({ code: 2, stdout: '' });
  const help = await runWith(['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: alone.stderr });
  for (const { name, usage } of commands) {
    expect(help.stdout).toContain(`  ${name} `);
    const { code, stdout } = await runWith([name, '--help']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, `Usage: pult ${name} ${usage}`.trim()]);
    expect(documentCommands(commands)).toContain(`## pult ${name}\n`);
  }
});

test.each([
  ['a command that does not exist', ['fly']],
  ['too few words', ['show']],
  ['too many words', ['show', 'A1', 'B2']],
  ['an option of no command', ['show', 'A1', '--colour']],
  ['a serial number that makes a path', ['show', '../users']],
  ['an inventory of nothing', ['inventory']],
  ['a format that there is not', ['ls', '-o', 'xml']],
  ['a login that may make tokens', ['login', 'http://127.0.0.1:9', '--scopes', 'tokens.manage']],
  ['a copy from here to here', ['cp', 'here', 'back']],
  ['a copy from a controller to one', ['cp', 'root@A1:/here', 'root@A1:/tmp']],
  ['a port that there is not', ['forward', 'A1', '70000']],
  ['ports that are too many', ['forward', 'A1', '1:2:3']],
])('%s is a wrong use, told before the server is asked', async (_, words) => {
  const env = { PULT_SERVER: 'http://127.0.0.1:9', PULT_TOKEN: 'x' };
  expect(await runWith(words, env)).toMatchObject({ code: 2, stdout: '' });
});

test.each([
  'https://evil.example/api/v1/',
  '//evil.example/api/v1/',
  '/\\evil.example/api/v1/',
  '/api/v1/../../metrics',
  '/api/v1/%2e%2e/%2e%2e/metrics',
  '../../metrics',
  '/metrics',
])('the path %s is no call of the API, and is not asked for', async (path) => {
  const env = { PULT_SERVER: 'http://127.0.0.1:9', PULT_TOKEN: 'x' };
  expect(await runWith(['api', 'GET', path], env)).toMatchObject({ code: 2, stdout: '' });
});

test('a token in a wrong place is never repeated', async () => {
  const token = `pult_pat_${'x'.repeat(36)}`;
  const wrong = [
    [token],
    ['login', token],
    ['login', 'http://a', `--tokne=${token}`],
    ['login', 'http://a', `--json=${token}`],
    ['show', token],
    ['ls', '-o', token],
    ['api', 'GET', token.replace('p', '/p'), '--data', token],
    ['completion', token],
  ];
  for (const words of wrong) {
    const { code, stdout, stderr } = await runWith(words);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain('xxx');
  }
});

test('packages hand each command to the command line, and those of the server to the server', () => {
  const own = commands.map(({ name }) => name).filter((name) => name !== 'admin');
  for (const file of ['deploy/pult', 'deploy/debian/pult-server/pult']) {
    const handed = /^ {2}(\w+(?: \| \w+)+)\)$/m.exec(readFileSync(repositoryPath(file), 'utf8'))?.[1];
    expect(handed?.split(' | ')).toEqual(own);
  }
});

test('a refusal with --json is JSON', async () => {
  const { code, stderr } = await runWith(['show', 'A1', '--json']);
  expect([code, JSON.parse(stderr)]).toEqual([
    3,
    { failure: 'notLoggedIn', detail: 'Log in first: pult login https://pult.example.com' },
  ]);
});

test('a refusal of what answers in JSON anyhow is JSON with --json', async () => {
  for (const words of [
    ['inventory', '--list'],
    ['api', 'GET', 'controllers/'],
  ]) {
    const { code, stderr } = await runWith([...words, '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([3, { failure: 'notLoggedIn' }]);
  }
});

test('every command takes --json but those whose output is of another program or for a shell', () => {
  const without = commands.filter(({ options = [] }) => !options.some(({ name }) => name === 'json'));
  expect(without.map(({ name }) => name)).toEqual(['admin', 'completion', 'cp', 'proxy', 'ssh']);
});

test('a logout and the list of calls are JSON with --json', async () => {
  await using folder = await makeTempDir('cli');
  const env = { XDG_CONFIG_HOME: folder.path };
  const file = join(folder.path, 'pult/login.json');
  const { code, stdout, stderr } = await runWith(['logout', '--json'], env);
  expect([code, JSON.parse(stdout), stderr]).toEqual([0, { loggedOut: true, file }, '']);
  const calls = JSON.parse((await runWith(['api', '--list', '--json'])).stdout);
  expect(calls).toContainEqual({
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/',
    summary: expect.any(String),
    scope: 'controllers.read',
  });
});

test('the completion is a script that bash takes, and knows commands and options', async () => {
  const { stdout } = await runWith(['completion', 'bash']);
  const complete = (...words: string[]) => {
    const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _pult; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', `${stdout}\n${line}`], { encoding: 'utf8' }).stdout.trim();
  };
  expect(complete('pult', 'in')).toBe('inventory');
  expect(complete('pult', 'show', '--j')).toBe('--json');
  expect(complete('pult', 'completion', 'z')).toBe('zsh');
  expect((await runWith(['completion', 'zsh'])).stdout).toBe(
    `autoload -U +X bashcompinit && bashcompinit\n${stdout}`,
  );
});

/** A server that answers each path with a status and a body. */
async function serve(answer: (path: string) => [status: number, body: unknown, type?: string]) {
  const asked: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      const [status, body, type = 'application/json'] = answer(request.url ?? '');
      response.writeHead(status, { 'content-type': type, location: '/elsewhere' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }),
  );
  return { asked, env: { PULT_SERVER: `http://127.0.0.1:${port}`, PULT_TOKEN: 'pult_pat_own' } };
}

const hostile = 'Boiler\u001b[2J\u009b31m\u202egnp';
const controller = {
  serialNumber: 'A1',
  status: 'online',
  description: hostile,
  group: { id: hostile, name: hostile },
  model: hostile,
  firmwareVersion: hostile,
  organization: { id: '1', name: hostile },
};

test('what devices, people or a server wrote steers no terminal', async () => {
  const { env } = await serve((path) =>
    path.includes('controllers/A1/')
      ? [200, controller]
      : path.includes('controllers/?')
        ? [200, { count: 1, results: [controller], next: null, previous: null }]
        : path.includes('files/')
          ? [200, hostile, 'text/plain']
          : [403, { detail: hostile, code: 'x' }],
  );
  for (const words of [
    ['ls'],
    ['ls', '--json'],
    ['ls', '-o', 'csv'],
    ['show', 'A1'],
    ['show', 'A1', '--json'],
    ['inventory', '--list'],
    ['inventory', '--host', 'A1'],
    ['inventory', '--host', 'A1', '--json'],
    ['api', 'GET', 'controllers/A1/'],
    ['api', 'GET', 'controllers/A1/', '--json'],
    ['api', 'GET', 'groups/'],
    ['login', env.PULT_SERVER, '--token', 'x'],
  ]) {
    const { stdout, stderr } = await runWith(words, env);
    expect(stdout + stderr).toContain('Boiler');
    expect((stdout + stderr).replace(/[\r\n]/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
  }
  const shown = await runWith(['api', 'GET', 'files/'], env, { isTerminal: true });
  expect(shown.stdout).toBe('Boiler [2J 31m gnp');
  // A file is what it was.
  expect((await runWith(['api', 'GET', 'files/'], env)).stdout).toBe(hostile);
});

test('the exit code says why a call was refused, and a redirect takes no token along', async () => {
  const { asked, env } = await serve((path) => [Number(/\d+/.exec(path.slice(8))?.[0]), { detail: 'No.' }]);
  const codes = [];
  for (const status of [401, 403, 404, 409, 500, 302]) {
    codes.push((await runWith(['api', 'GET', `${status}/`], env)).code);
  }
  expect(codes).toEqual([3, 4, 5, 1, 1, 6]);
  expect(asked.at(-1)).toBe('GET /api/v1/302/ Bearer pult_pat_own');
});

test('an address that starts another program than the browser is not opened', async () => {
  const tunnel = { id: '1', protocol: 'http', createdAt: '', expiresAt: '' };
  const { env } = await serve(() => [
    200,
    { tunnel, tunnelRedirectUrl: 'file:///etc/passwd', tunnelKey: 'x' },
  ]);
  expect(await runWith(['open', 'A1', '--print'], env)).toMatchObject({ code: 1, stdout: '' });
});
