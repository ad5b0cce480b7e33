import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import ssh2, { type ParsedKey } from 'ssh2';
import type { Config } from '../../../config/config.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import { toPlainAddress } from '../../../platform/network.ts';
import { readProxyHeader } from '../../../platform/proxy-header.ts';
import { fingerprintOf } from '../../../platform/ssh-fingerprint.ts';
import { readHostKey } from './host-key.ts';
import { createJumpAdmission } from './jump-admission.ts';
import { type JumpDependencies, serveJumpConnection } from './jump-connection.ts';
import { connectionRefusals } from './jump-texts.ts';

interface Dependencies
  extends Pick<JumpDependencies, 'sshKeys' | 'tunnels' | 'links' | 'live' | 'recordAudit' | 'log'> {
  config: Config;
  hostKey: KeyObject;
  clock: Clock;
  handshakeTimeoutMs?: number | undefined;
}

/** What the console tells people about the jump host. */
export interface JumpAddress {
  host: string;
  port: number;
  hostKeyFingerprint: string;
}

/** A person may be typing the passphrase of their key. */
const loginTimeout = 120_000;
const maxConnectionsPerUser = 200;
const maxChannelsPerUser = 400;
/** What the last words of open sessions may take at a stop. */
const stopGrace = 3_000;
/** A port that somebody has, or that this process may not have. */
const unusable: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES']);

/**
 * Only what every OpenSSH of the last ten years knows and nothing doubts. No classic Diffie-Hellman, whose large groups
 * would let strangers keep this process busy; no compression, which would let them fill its memory.
 */
const algorithms: ssh2.ServerConfig['algorithms'] = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
};

/**
 * The way of stock OpenSSH to the controllers: an SSH server that opens nothing but channels to port 22 of a
 * controller, named by its serial number, for whoever has registered their public key. The SSH inside such a channel is
 * end to end.
 */
export function createJumpHost(dependencies: Dependencies) {
  const { config, clock, log, handshakeTimeoutMs = 15_000 } = dependencies;
  const { jumpHost, jumpPort, isJumpOptional, jumpAddress } = config.ssh;
  const hostKey: ParsedKey = readHostKey(dependencies.hostKey);
  const hostKeyFingerprint = fingerprintOf(hostKey.getPublicSSH());
  const isProxy = proxyAddress.compile([...config.http.trustedProxies]);
  const admission = createJumpAdmission(clock);
  const connections = createConcurrencyLimit(maxConnectionsPerUser);
  const sockets = new Set<Socket>();
  /** Those of them on which nobody has logged in. */
  const waiting = new Set<Socket>();
  const tasks = new Set<Promise<unknown>>();
  let address: JumpAddress | undefined;

  const serving: JumpDependencies = {
    ...dependencies,
    channels: createConcurrencyLimit(maxChannelsPerUser),
    tunnelDomain: config.tunnels.domain,
    serviceName: config.settings.serviceName,
    securityUrl: `${config.http.publicUrl}/security`,
    isTotpEnabled: config.settings.totpAuthEnabled,
    getPublicAddress: () => `${address?.host}:${address?.port}`,
  };
  const work = (task: Promise<unknown>) => {
    const watched: Promise<unknown> = task
      .catch((error: Error) => log.error({ err: error }, 'SSH session not ended cleanly'))
      .finally(() => tasks.delete(watched));
    tasks.add(watched);
  };

  async function accept(socket: Socket): Promise<void> {
    const peer = socket.remoteAddress;
    if (peer === undefined) return;
    // Behind a proxy of plain TCP the client's address comes first, if the proxy was told to send it.
    const forwarded = isProxy(peer, 0) ? await readProxyHeader(socket, handshakeTimeoutMs) : undefined;
    const client = toPlainAddress(forwarded ?? peer);
    const release = admission.acquire(client);
    if (typeof release === 'string') {
      socket.end(`${connectionRefusals[release]}\r\n`);
      socket.destroySoon();
      return;
    }
    serve(socket, client, release);
  }

  function serve(socket: Socket, client: string, release: () => void): void {
    let hasTried = false;
    let isLoggedIn = false;
    const handshake = setTimeout(() => socket.destroy(), handshakeTimeoutMs);
    const login = setTimeout(() => socket.destroy(), loginTimeout);
    waiting.add(socket);
    const settle = () => {
      waiting.delete(socket);
      clearTimeout(handshake);
      clearTimeout(login);
      release();
    };
    socket.on('close', () => {
      settle();
      if (hasTried && !isLoggedIn) admission.noteFailure(client);
    });
    // One for each connection: only so a connection of ssh2 is known to be that of this socket.
    const server = new ssh2.Server(
      { hostKeys: [{ key: hostKey, passphrase: '' }], algorithms, ident: 'Pult' },
      (connection) => {
        connection.once('handshake', () => clearTimeout(handshake));
        connection.on('authentication', ({ method }) => {
          hasTried ||= method !== 'none';
        });
        serveJumpConnection(serving, { connection, socket, address: client }, work, ({ userId, email }) => {
          isLoggedIn = true;
          settle();
          const release = connections.acquire(userId);
          if (!release) {
            log.warn({ email }, 'too many SSH connections of one user');
            socket.destroy();
            return;
          }
          socket.on('close', release);
        });
      },
    );
    server.injectSocket(socket);
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    accept(socket).catch(() => socket.destroy());
  });
  listener.on('error', (error) => log.error({ err: error }, 'SSH jump host'));

  return {
    /** Undefined while there is no jump host. */
    get address() {
      return address;
    },

    /** Does nothing where it is turned off, or where its port cannot be had and nobody asked for that very port. */
    async listen(): Promise<void> {
      if (jumpPort === 0) return;
      try {
        listener.listen({ host: jumpHost, port: jumpPort });
        await once(listener, 'listening');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (!isJumpOptional || !unusable.has(code ?? '')) {
          throw new Error(
            `The SSH jump host cannot listen on port ${jumpPort} (${code}); see SSH_JUMP_PORT.`,
          );
        }
        log.warn(
          { port: jumpPort, code },
          'no SSH jump host: its port is taken or forbidden; choose another with SSH_JUMP_PORT',
        );
        return;
      }
      address = { port: jumpPort, ...jumpAddress, hostKeyFingerprint };
      log.info({ port: jumpPort, hostKeyFingerprint }, 'SSH jump host ready');
    },

    /** Ends every connection, the open tunnels of which have been cut, and waits a moment for what is written of them. */
    async close(): Promise<void> {
      address = undefined;
      if (!listener.listening) return;
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of waiting) socket.destroy();
      const grace = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, stopGrace);
      await closed;
      clearTimeout(grace);
      await Promise.all(tasks);
    },
  };
}
