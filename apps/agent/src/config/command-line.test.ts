import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempDir } from '../testing/temp-dir.ts';
import { readCommandLine } from './command-line.ts';

function createConfigFile(content: unknown): string {
  const path = join(createTempDir(), 'config.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('file, environment and flags, each stronger than the one before', () => {
  const path = createConfigFile({
    server: 'https://file.test',
    serial: 'FILE',
    ssh: '127.0.0.1:2022',
    allow: ['ssh', 8080],
  });
  const command = readCommandLine(['run', '--config', path, '--serial', 'FLAG'], {
    PULT_SERVER: 'https://env.test/base/',
    PULT_SERIAL: 'ENV',
    PULT_STATE_DIR: '/env/state',
  });
  expect(command).toMatchObject({
    name: 'run',
    config: {
      server: 'https://env.test/base',
      serial: 'FLAG',
      stateDir: '/env/state',
      http: { host: '127.0.0.1', port: 80, isTls: false },
      ssh: { host: '127.0.0.1', port: 2022, isTls: false },
      allow: new Set(['ssh', 'port-8080']),
    },
  });
});

test('a web interface with TLS, an IPv6 address, and the broker are understood', () => {
  const flags = ['--http', 'https://[::1]:8443', '--mqtt', 'mqtt://127.0.0.1'];
  expect(readCommandLine(['run', '--server', 'http://a.test', ...flags], {})).toMatchObject({
    config: { http: { host: '::1', port: 8443, isTls: true }, mqtt: 'mqtt://127.0.0.1' },
  });
});

test('the proxy comes from the setting, otherwise from the environment', () => {
  const run = (...flags: string[]) =>
    readCommandLine(['run', '--server', 'https://a.test', ...flags], { HTTPS_PROXY: 'http://env.test:3128' });
  expect(run()).toMatchObject({ config: { proxy: new URL('http://env.test:3128') } });
  expect(run('--proxy', 'http://flag.test:8080')).toMatchObject({
    config: { proxy: new URL('http://flag.test:8080') },
  });
  expect(run('--proxy', 'off')).toMatchObject({ config: { proxy: undefined } });
});

test('everything wrong is told at once', () => {
  const path = createConfigFile({ sever: 'https://typo.test', mqtt: 5 });
  const args = [
    'run',
    '--config',
    path,
    '--htp=1',
    '--http',
    'nowhere',
    '--ssh',
    'https://h:22',
    '--ca',
    '/no/such',
    '--allow',
    'ftp',
  ];
  expect(readCommandLine([...args, 'now'], {})).toEqual({
    name: 'problems',
    problems: [
      'unknown flag --htp',
      'unexpected "now"',
      `config file ${path}: unknown setting "sever"`,
      `config file ${path}: "mqtt" must be a string`,
      'no server: give its address by --server, PULT_SERVER or "server" in the config file',
      '--http must be HOST:PORT or https://HOST:PORT, not "nowhere"',
      '--ssh must be HOST:PORT, not "https://h:22"',
      '--allow takes http, ssh and port numbers, not "ftp"',
      '--ca: /no/such cannot be read (ENOENT)',
    ],
  });
});

test.each([
  [['run', '--server'], '--server needs a value'],
  [['fly'], 'unknown command "fly"'],
  [['--serial', 'X'], 'no command'],
  [
    ['run', '--server', 'ftp://a.test'],
    '--server must be an address like https://cloud.example.com, not "ftp://a.test"',
  ],
  [['status', '--config', '/no/such'], 'config file /no/such cannot be read (ENOENT)'],
])('%j is refused', (args, problem) => {
  expect(readCommandLine(args, {})).toMatchObject({
    name: 'problems',
    problems: expect.arrayContaining([problem]),
  });
});

test('a broken config file is a problem', () => {
  expect(readCommandLine(['status', '--config', createConfigFile('{')], {}).name).toBe('problems');
  expect(readCommandLine(['status', '--config', createConfigFile('[]')], {}).name).toBe('problems');
});

test('help, version, and commands that need no server', () => {
  expect(readCommandLine([], {}).name).toBe('help');
  expect(readCommandLine(['run', '--help'], {}).name).toBe('help');
  expect(readCommandLine(['--version'], {}).name).toBe('version');
  expect(readCommandLine(['status'], {}).name).toBe('status');
  expect(readCommandLine(['unlink'], {}).name).toBe('unlink');
});
