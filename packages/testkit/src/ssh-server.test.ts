import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSshOptions } from './open-ssh-client.ts';
import { startPasswordSshServer } from './password-ssh-server.ts';
import { runCommand } from './run-command.ts';
import { type SshServer, startSshServer } from './ssh-server.ts';

let server: SshServer;
beforeAll(async () => {
  server = await startSshServer();
});
afterAll(() => server.stop());

const ssh = async (...command: string[]) =>
  runCommand('ssh', [
    ...(await openSshOptions(server)),
    ...['-p', String(server.port), `${server.user}@${server.host}`],
    ...command,
  ]);

test('lets its own key in and runs commands', async () => {
  const { code, stdout } = await ssh('echo $SSH_CONNECTION');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^127\.0\.0\.1 /);
});

test('comes back with another host key', async () => {
  const before = server.hostKey.fingerprint;
  const stale = await openSshOptions(server);
  await server.replaceHostKey();
  expect(server.hostKey.fingerprint).not.toBe(before);
  const answer = await runCommand('ssh', [
    ...stale,
    ...['-p', String(server.port), `${server.user}@${server.host}`, 'true'],
  ]);
  expect(answer.stderr).toContain('REMOTE HOST IDENTIFICATION HAS CHANGED');
  expect((await ssh('true')).code).toBe(0);
});

test('the password server takes its password and gives a shell', async () => {
  await using peer = await startPasswordSshServer();
  const client = new ssh2.Client();
  const output = await new Promise<string>((resolve, reject) => {
    client.once('error', reject);
    client.once('ready', () =>
      client.shell((error, channel) => {
        if (error) return reject(error);
        let text = '';
        channel.on('data', (data: Buffer) => {
          text += data;
        });
        channel.on('close', () => resolve(text));
        channel.write('echo in the shell\rexit\r');
      }),
    );
    client.connect({ host: '127.0.0.1', port: peer.port, username: peer.user, password: peer.password });
  });
  client.end();
  expect(output).toContain('in the shell');
});
