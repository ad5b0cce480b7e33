import { connect, type Socket } from 'node:net';
import { whenClosed } from '@pult/testkit';
import type { Connection } from 'ssh2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openShell } from './shell.ts';
import { startSshDevice } from './ssh-device.fixture.ts';
import { createTerminalFixture, type TerminalFixture } from './terminal.fixture.ts';

// These devices do by hand what no SSH server would: through ssh2's own protocol object.

let t: TerminalFixture;
beforeAll(async () => {
  t = await createTerminalFixture();
});
afterAll(() => t.close());
beforeEach(() => t.reset());

interface Internals {
  _protocol: { channelOpenConfirm(remote: number, local: number, window: number, maxPacket: number): void };
  _sock: Socket;
}
const internalsOf = (connection: Connection) => connection as unknown as Internals;

/** Of each connection the first `honest` channels take packets of any size, the later ones of so many bytes at most. */
function takePackets(bytes: number, honest = 0) {
  return (connection: Connection) => {
    const { _protocol: protocol } = internalsOf(connection);
    const confirm = protocol.channelOpenConfirm;
    let opened = 0;
    protocol.channelOpenConfirm = (remote, local, window, maxPacket) => {
      opened += 1;
      confirm.call(protocol, remote, local, window, opened > honest ? bytes : maxPacket);
    };
  };
}

describe('hostile SSH servers of devices', () => {
  // To a channel of 0 bytes ssh2 sends packets for ever at the first key, and this process would be gone.
  it.each([0, 1, 511])(
    'a hostile SSH server is left when it takes only packets of %i bytes',
    async (bytes) => {
      await t.replaceSsh({ onConnection: takePackets(bytes) });
      const terminal = await t.start();
      terminal.socket.send(Buffer.from('ls'));
      expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_failed' });
      await expect.poll(() => t.device.linked.connections.size).toBe(0);
    },
  );

  it('a device gets what is typed in packets as small as it takes, if they are of 512 bytes or more', async () => {
    await t.replaceSsh({ onConnection: takePackets(512) });
    const terminal = await t.open();
    const pieces: Buffer[] = [];
    t.ssh.channels[0]?.on('data', (chunk: Buffer) => pieces.push(chunk));
    terminal.socket.send(Buffer.alloc(1_300, 'x'));
    await expect.poll(() => Buffer.concat(pieces).length).toBe(1_300);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(512);
  });

  it('a hostile SSH server is left when it opens the files of a terminal with packets of 0 bytes', async () => {
    const ssh = await startSshDevice({
      onConnection: takePackets(0, 1),
      onSession: (session) => session.on('sftp', (accept) => void accept()),
    });
    const socket = connect(ssh.port, '127.0.0.1');
    const shell = await openShell(
      socket,
      {
        username: 'root',
        credential: { method: 'password', password: 'right' },
        getHostKey: async () => undefined,
        pinHostKey: async (pinned) => ({ pinned, isNew: true }),
        ask: () => {},
        size: { columns: 80, rows: 24 },
        onReady: () => {},
        onOutput: () => true,
      },
      () => {},
    );
    await expect(shell.openSftp()).rejects.toMatchObject({ code: 'sftp_unavailable' });
    await expect(shell.ended).rejects.toMatchObject({ code: 'ssh_failed' });
    await ssh.close();
  });

  it('a hostile SSH server is left at its first packet of an impossible length, though it goes on sending', async () => {
    let socket: Socket | undefined;
    await t.replaceSsh({
      onConnection(connection) {
        socket = internalsOf(connection)._sock;
        socket.allowHalfOpen = true;
        socket.on('error', () => {});
      },
    });
    const terminal = await t.open();
    const sending = setInterval(() => socket?.writable && socket.write(Buffer.alloc(1_024, 0x7f)), 20);
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_failed' });
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
    if (socket) await whenClosed(socket);
    clearInterval(sending);
  });
});
