import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';

export interface PasswordSshServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  stop(): Promise<void>;
}

export interface PasswordSshServerOptions {
  user?: string;
  password?: string;
  /** `keyboard-interactive` asks two questions: the password and a code, which is `123456`. */
  method?: 'password' | 'keyboard-interactive';
}

/**
 * An SSH server that takes a password, which OpenSSH's sshd cannot be made to do without changing the machine's
 * accounts. A shell is /bin/sh without a terminal.
 */
export async function startPasswordSshServer(
  options: PasswordSshServerOptions = {},
): Promise<PasswordSshServer> {
  const user = options.user ?? 'operator';
  const password = options.password ?? 'пароль контроллера';
  const method = options.method ?? 'password';
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const shells = new Set<ChildProcess>();
  const connections = new Set<ssh2.Connection>();

  const server = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => {});
    connection.on('authentication', (attempt) => {
      if (attempt.username !== user || attempt.method !== method) return attempt.reject([method]);
      if (attempt.method === 'password') {
        return attempt.password === password ? attempt.accept() : attempt.reject([method]);
      }
      const questions = [
        { prompt: 'Password: ', echo: false },
        { prompt: 'Code: ', echo: true },
      ];
      attempt.prompt(questions, 'Two questions', 'Answer both', (answers) => {
        if (answers[0] === password && answers[1] === '123456') attempt.accept();
        else attempt.reject([method]);
      });
    });
    connection.on('session', (accept) => {
      const session = accept();
      session.on('pty', (acceptPty) => acceptPty?.());
      session.on('window-change', (acceptChange) => acceptChange?.());
      session.on('shell', (acceptShell) => {
        const channel = acceptShell();
        const shell = spawn('/bin/sh', [], { stdio: 'pipe' });
        shells.add(shell);
        // A terminal sends a carriage return for Enter; without one in between, sh wants a line feed.
        channel.on('data', (data: Buffer) => shell.stdin.write(data.toString().replaceAll('\r', '\n')));
        shell.stdin.on('error', () => {});
        shell.stdout.on('data', (data: Buffer) => channel.write(data));
        shell.stderr.on('data', (data: Buffer) => channel.write(data));
        shell.on('close', (code) => {
          shells.delete(shell);
          channel.exit(code ?? 1);
          channel.end();
        });
        channel.on('close', () => shell.kill());
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;

  const stop = async () => {
    for (const shell of shells) shell.kill('SIGKILL');
    for (const connection of connections) connection.end();
    const closed = once(server, 'close');
    server.close();
    await closed;
  };
  return { address: `127.0.0.1:${port}`, port, user, password, stop, [Symbol.asyncDispose]: stop };
}
