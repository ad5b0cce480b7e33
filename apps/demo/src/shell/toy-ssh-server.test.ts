import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { startToySshServer } from './toy-ssh-server.ts';

type OpenSession = (channel: number, window: number, packet: number) => void;

// Into a channel of 0 bytes ssh2 writes for ever, and this process would be gone.
test.each(['shell', 'exec', 'sftp'] as const)(
  'a client of the demo’s SSH server that takes packets of 0 bytes for its %s is cut, and the server goes on',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'pult-demo-ssh-'));
    const server = await startToySshServer({ dataDir: folder, name: 'demo-pump' });
    const logIn = async () => {
      const client = new ssh2.Client();
      client.on('error', () => {});
      client.connect({ host: '127.0.0.1', port: server.port, username: 'demo', password: 'demo' });
      await once(client, 'ready');
      return client;
    };
    try {
      const hostile = await logIn();
      const { _protocol: protocol } = hostile as unknown as { _protocol: { session: OpenSession } };
      const open = protocol.session;
      protocol.session = (channel, window) => open.call(protocol, channel, window, 0);
      const closed = once(hostile, 'close');
      if (kind === 'shell') hostile.shell(() => {});
      else if (kind === 'exec') hostile.exec('uname -a', () => {});
      else hostile.sftp(() => {});
      await closed;

      const client = await logIn();
      const output = await new Promise((resolve) =>
        client.exec('uname -a', (_, channel) =>
          channel.once('data', (data: Buffer) => resolve(String(data))),
        ),
      );
      expect(output).toMatch(/^Linux demo-pump/);
      client.end();
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  },
);

test.each(['demo', 'root'])(
  '%s logs in to the demo’s SSH server, and a wrong password does not',
  async (username) => {
    const folder = await mkdtemp(join(tmpdir(), 'pult-demo-ssh-'));
    const server = await startToySshServer({ dataDir: folder, name: 'demo-pump' });
    const [stranger, client] = [new ssh2.Client(), new ssh2.Client()];
    const settings = { host: '127.0.0.1', port: server.port, username };
    try {
      stranger.connect({ ...settings, password: 'wrong' });
      const [refusal] = await once(stranger, 'error');
      expect(String(refusal)).toContain('authentication');
      client.connect({ ...settings, password: 'demo' });
      await once(client, 'ready');
      const output = await new Promise((resolve) =>
        client.exec('whoami', (_, channel) => channel.once('data', (data: Buffer) => resolve(String(data)))),
      );
      expect(output).toBe(`${username}\n`);
      client.end();
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  },
);
