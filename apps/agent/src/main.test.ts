import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawTerminalQr } from '@pult/link/terminal-qr';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { listen } from '@pult/testkit/in-test';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { activationLink, createFakeCloud } from './testing/fake-cloud.ts';
import { createTempDir } from './testing/temp-dir.ts';

const directory = fileURLToPath(new URL('..', import.meta.url));
const program = join(directory, 'dist/pult-agent.mjs');

beforeAll(() => {
  execFileSync(process.execPath, [join(directory, 'build.mjs')]);
});

interface AgentChild {
  child: ChildProcess;
  output(): string;
  exited: Promise<[number | null, string | null]>;
}

function launch(...args: string[]): AgentChild {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const exited = once(child, 'close') as Promise<[number | null, string | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, output: () => output, exited };
}

async function getResult(...args: string[]) {
  const { exited, output } = launch(...args);
  const [code] = await exited;
  return { code, output: output() };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the built agent links, shows its status, and ends on %s',
  async (signal) => {
    const stateDir = createTempDir();
    const cloud = await createFakeCloud();
    const agent = launch('run', '--server', cloud.url, '--serial', 'odd_serial.1', '--state-dir', stateDir);
    const link = await cloud.nextLink();
    const { serialNumber, agentVersion } = await link.getInfo();
    expect(serialNumber).toMatch(/^ODD-SERIAL-1-[A-Z2-7]{10}$/);
    expect(agentVersion).toBe(manifest.version);
    await expect
      .poll(() => agent.output(), { timeout: 20_000 })
      .toBe(`serial number: ${serialNumber}\nlink: connected\nactivation link: ${activationLink}\n`);

    const status = await getResult('status', '--state-dir', stateDir);
    expect(status.code).toBe(0);
    expect(status.output).toMatch(
      new RegExp(
        `^serial number: ${serialNumber}\nkey fingerprint: SHA256:[A-Za-z0-9+/]{43}\nserver: ${cloud.url}\nlink: connected since .*\nactivation link: `,
      ),
    );
    const second = await getResult('run', '--server', cloud.url, '--state-dir', stateDir);
    expect(second).toEqual({
      code: 1,
      output: `pult-agent: another agent already runs with the state folder ${stateDir}\n`,
    });

    agent.child.kill(signal);
    expect(await link.closed).toBe('shutdown');
    expect(await agent.exited).toEqual([0, null]);
    expect(await getResult('status', '--state-dir', stateDir)).toEqual({
      code: 1,
      output: `the agent is not running (state folder ${stateDir})\n`,
    });
  },
);

test('status shows the activation link as a QR code below it, in a terminal with UTF-8 and room for it only', async () => {
  const stateDir = createTempDir();
  const cloud = await createFakeCloud();
  const agent = launch('run', '--server', cloud.url, '--serial', 'A1', '--state-dir', stateDir);
  await expect.poll(() => agent.output(), { timeout: 20_000 }).toContain('activation link: ');
  const showIn = (columns: number, locale: string) => {
    const command = `stty cols ${columns}; exec ${process.execPath} ${program} status --state-dir ${stateDir}`;
    const env = { ...process.env, LC_ALL: locale, TERM: 'xterm' };
    const shown = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
    return shown.split('\r\n').slice(4, -1);
  };
  const alone = [`activation link: ${activationLink}`];
  const lines = drawTerminalQr(activationLink, 80);
  expect(lines.length).toBeGreaterThan(10);
  expect(showIn(80, 'C.UTF-8')).toEqual([...alone, ...lines]);
  expect(showIn(20, 'C.UTF-8')).toEqual(alone);
  expect(showIn(80, 'C')).toEqual(alone);
});

test('a killed agent leaves no lock, and its server sees the link end', async () => {
  const stateDir = createTempDir();
  const cloud = await createFakeCloud();
  const args = ['run', '--server', cloud.url, '--serial', 'A1', '--state-dir', stateDir];
  const first = launch(...args);
  const link = await cloud.nextLink();
  first.child.kill('SIGKILL');
  expect(await link.closed).toBe('transport');
  launch(...args);
  await cloud.nextLink();
  expect(new Set(cloud.enrolments.map(({ publicKey }) => publicKey)).size).toBe(1);
});

test('enroll prints the activation link; unlink makes the next key a new one', async () => {
  const stateDir = createTempDir();
  const cloud = await createFakeCloud();
  const args = ['enroll', '--server', cloud.url, '--serial', 'A1', '--state-dir', stateDir];
  expect(await getResult(...args)).toEqual({
    code: 0,
    output: `serial number: A1\nactivation link: ${activationLink}\n`,
  });
  await getResult(...args);
  expect((await getResult('unlink', '--state-dir', stateDir)).code).toBe(0);
  await getResult(...args);
  const [first, second, third] = cloud.enrolments.map(({ publicKey }) => publicKey);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test.each([
  ['upgrade', false],
  ['websocket', true],
] as const)('a private authority is trusted by --ca only (%s)', async (_transport, passesOnlyWebSocket) => {
  const cloud = await createFakeCloud({
    passesOnlyWebSocket,
    createServer: () => createTlsServer({ cert: testCertificate, key: testPrivateKey }),
  });
  const stateDir = createTempDir();
  const ca = join(stateDir, 'ca.pem');
  writeFileSync(ca, testCertificate);
  const args = ['--server', cloud.url, '--serial', 'A1', '--state-dir', stateDir];
  expect((await getResult('enroll', ...args)).output).toContain('self-signed certificate');
  launch('run', ...args, '--ca', ca);
  expect((await (await cloud.nextLink()).getInfo()).serialNumber).toBe('A1');
});

test('doctor ends with code 0 where nothing is to be done, and with 1 where something is', async () => {
  const cloud = await createFakeCloud();
  const ssh = await listen(createTcpServer((socket) => socket.end('SSH-2.0-test\r\n')));
  const args = [
    'doctor',
    '--server',
    cloud.url,
    '--ssh',
    `127.0.0.1:${ssh}`,
    '--http',
    new URL(cloud.url).host,
  ];
  expect(await getResult(...args)).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^- {4}DNS 127\.0\.0\.1: is an address already\n[\s\S]*\nok {3}SSH server: /,
    ),
  });
  const lacking = await getResult(...args, '--http', '127.0.0.1:1');
  expect(lacking).toMatchObject({
    code: 1,
    output: expect.stringContaining('NO   web interface: connect ECONNREFUSED'),
  });
});

test('wrong use ends with code 2 and all problems', async () => {
  const { code, output } = await getResult('run', '--what');
  expect(code).toBe(2);
  expect(output).toContain('unknown flag --what');
  expect(output).toContain('no server');
});
