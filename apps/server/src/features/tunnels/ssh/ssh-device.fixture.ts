import { createHash } from 'node:crypto';
import { once } from 'node:events';
import ssh2, {
  type Algorithms,
  type AuthContext,
  type Connection,
  type ServerChannel,
  type Session,
} from 'ssh2';

export interface SshDevice {
  port: number;
  fingerprint: string;
  /** What was tried: `none`, `password <password>`, `publickey`. */
  attempts: string[];
  /** Terminal sizes, as `columns x rows`, in their order. */
  sizes: string[];
  channels: ServerChannel[];
  close(): Promise<void>;
}

export interface SshDeviceOptions {
  onConnection?: (connection: Connection) => void;
  onAuthentication?: (attempt: AuthContext) => void;
  onSession?: (session: Session) => void;
  onShell?: (channel: ServerChannel) => void;
  /** Those of ssh2 unless told. */
  algorithms?: Algorithms;
  port?: number;
}

/** The SSH server of a device, which a test can make do anything. */
export async function startSshDevice(options: SshDeviceOptions = {}): Promise<SshDevice> {
  // Not Ed25519: now and then ssh2 cannot read the one it has made.
  const privateKey = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private;
  const connections = new Set<Connection>();
  const device = { attempts: [] as string[], sizes: [] as string[], channels: [] as ServerChannel[] };
  const noteSize = ({ cols, rows }: { cols: number; rows: number }) => device.sizes.push(`${cols}x${rows}`);

  const { algorithms } = options;
  const config = { hostKeys: [privateKey], ...(algorithms ? { algorithms } : {}) };
  const server = new ssh2.Server(config, (connection) => {
    connections.add(connection);
    options.onConnection?.(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => {});
    connection.on('authentication', (attempt) => {
      const secret = attempt.method === 'password' ? ` ${attempt.password}` : '';
      device.attempts.push(attempt.method + secret);
      if (options.onAuthentication) options.onAuthentication(attempt);
      else if (attempt.method === 'password' && attempt.password === 'right') attempt.accept();
      else attempt.reject(['password', 'publickey']);
    });
    connection.on('session', (accept) => {
      const session = accept();
      options.onSession?.(session);
      session.on('pty', (acceptPty, _, info) => {
        noteSize(info);
        acceptPty?.();
      });
      session.on('window-change', (acceptChange, _, info) => {
        noteSize(info);
        acceptChange?.();
      });
      session.on('shell', (acceptShell) => {
        const channel = acceptShell();
        channel.on('error', () => {});
        device.channels.push(channel);
        options.onShell?.(channel);
      });
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  const digest = createHash('sha256').update(key.getPublicSSH()).digest('base64');
  return {
    ...device,
    port: typeof address === 'object' && address ? address.port : 0,
    fingerprint: `SHA256:${digest.replace(/=+$/, '')}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.end();
      await closed;
    },
  };
}
