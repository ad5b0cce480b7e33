import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { createDemoFiles } from './demo-files.ts';
import { createLineEditor } from './line-editor.ts';
import { serveSftp } from './sftp-server.ts';
import { type Host, openShell, promptOf, runLine } from './toy-shell.ts';

/** Anyone may know them: behind them is nothing. The console's own commands for a controller's SSH name root. */
const demoLogin = { users: ['demo', 'root'], password: 'demo' } as const;

/**
 * Whether its client takes packets of fewer bytes than any SSH program. Into a channel of 0 bytes ssh2 1.17 writes for ever,
 * in one go: the program would stand still until its memory is used up.
 */
const takesOnlySmallPackets = (session: object) =>
  (session as { _chanInfo: { outgoing: { packetSize: number } } })._chanInfo.outgoing.packetSize < 512;

export interface ToySshServer {
  port: number;
  stop(): Promise<void>;
}

/** Kept, as consoles pin the key of a host at the first login. */
async function readHostKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'demo', 'ssh-host.key');
  try {
    return await readFile(path, 'utf8');
  } catch {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    await mkdir(join(dataDir, 'demo'), { recursive: true, mode: 0o700 });
    await writeFile(path, privateKey, { mode: 0o600 });
    return privateKey;
  }
}

function serveShell(channel: ssh2.ServerChannel, host: Host, user: string): void {
  const shell = openShell(host, user);
  const write = (text: string) => channel.write(text.replace(/\r?\n/g, '\r\n'));
  const prompt = () => channel.write(promptOf(shell));
  const end = (code: number) => {
    channel.exit(code);
    channel.end();
  };
  const editor = createLineEditor({
    write: (text) => channel.write(text),
    prompt,
    onEnd: () => end(0),
    onLine: (line) => {
      const { output, exit } = runLine(line, shell);
      write(output);
      if (exit === undefined) prompt();
      else end(exit);
    },
  });
  channel.on('data', (data: Buffer) => editor.feed(data.toString('utf8')));
  channel.on('error', () => {});
  write(runLine('cat /etc/motd', shell).output);
  prompt();
}

/**
 * The SSH server of one of the demo's agents: a toy shell for two well-known logins, SFTP over files in memory, no forwarding,
 * nothing started.
 */
export async function startToySshServer({
  dataDir,
  name,
}: {
  dataDir: string;
  name: string;
}): Promise<ToySshServer> {
  const host: Host = { name, startedAt: Date.now(), files: createDemoFiles(name) };
  const connections = new Set<ssh2.Connection>();
  const server = new ssh2.Server({ hostKeys: [await readHostKey(dataDir)] }, (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => {});
    let user = '';
    connection.on('authentication', (attempt) => {
      const isRight =
        attempt.method === 'password' &&
        demoLogin.users.some((name) => name === attempt.username) &&
        attempt.password === demoLogin.password;
      if (!isRight) return attempt.reject(['password']);
      user = attempt.username;
      attempt.accept();
    });
    connection.on('session', (accept) => {
      const session = accept();
      // Of a session without listeners ssh2 refuses all that is asked for.
      if (takesOnlySmallPackets(session)) return void connection.end();
      session.on('pty', (acceptPty) => acceptPty?.());
      session.on('window-change', (acceptChange) => acceptChange?.());
      session.on('shell', (acceptShell) => serveShell(acceptShell(), host, user));
      session.on('exec', (acceptExec, _, { command }) => {
        const channel = acceptExec();
        channel.write(runLine(command, openShell(host, user)).output);
        channel.exit(0);
        channel.end();
      });
      session.on('sftp', (acceptSftp) => serveSftp(acceptSftp(), host.files));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      for (const connection of connections) connection.end();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
