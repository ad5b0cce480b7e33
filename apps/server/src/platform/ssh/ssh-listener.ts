import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection, type ParsedKey } from 'ssh2';
import type { Config } from '../../config/config.ts';
import type { Core } from '../core.ts';
import type { Feature } from '../feature.ts';
import { fingerprintOf } from '../ssh-fingerprint.ts';
import { createReadTcpAddress } from '../tcp-client-address.ts';
import { readHostKey } from './host-key.ts';
import { refuseSmallPacketsOfClient } from './small-packets.ts';
import { createSshAdmission } from './ssh-admission.ts';
import { partWith, refuseOverruns, socketOf } from './ssh2-internals.ts';

/** A connection whose client has named a user and has not logged in yet. */
export interface SshIncoming {
  connection: Connection;
  socket: Socket;
  /** The client's, as far as it can be believed. */
  address: string;
  /** To be called at its login: it is no stranger's any more. */
  noteLogin(): void;
}

/** Those who come in under some user names; the name never changes over a connection's life. */
export interface SshService {
  serves(userName: string): boolean;
  /** The answer evaluates each attempt to log in; an error of it ends the connection. */
  serve(incoming: SshIncoming): (attempt: AuthContext) => Promise<void>;
}

/** Where the port is reached from outside. */
export interface SshAddress {
  host: string;
  port: number;
  hostKeyFingerprint: string;
}

export interface SshListener extends Feature {
  /** Undefined while there is no port. */
  readonly address: SshAddress | undefined;
  /** As a line of known_hosts has it behind the host: type and base64. */
  readonly hostKeyLine: string;
  /** What is added first is asked first. */
  add(service: SshService): void;
}

/** Milliseconds. */
export interface SshTiming {
  sshHandshakeMs?: number;
  /** From the connection to the login. */
  sshLoginMs?: number;
  /** After how much silence a client is asked whether it is there; after the third time in vain it is cut. */
  sshAliveMs?: number;
}

interface Dependencies {
  config: Pick<Config, 'ssh' | 'http'>;
  hostKey: KeyObject;
  timing: SshTiming;
}

/** Answers that a client does not read. */
const maxUnsent = 32 * 1024 * 1024;
const maxUnsentToStrangers = 1024 * 1024;
/** What the last words of open sessions may take at a stop. */
const stopGrace = 3_000;
/** A port that somebody has, or that this process may not have. */
const unusable: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES']);
/** Before the handshake, where the client shows it in its debug output. */
const refusals = {
  busy: 'Too many connections',
  penalized: 'Too many failed logins, try again later',
} as const;

/**
 * Only what every OpenSSH of the last ten years knows and nothing doubts. No classic Diffie-Hellman, whose large groups
 * would let strangers keep this process busy; no compression, which would let them fill its memory.
 */
const algorithms: ssh2.ServerConfig['algorithms'] = {
  kex: [
    // By its older name, which dropbear does not guess: ssh2 1.17 passes over the packet of a right guess, too.
    'curve25519-sha256@libssh.org',
    'curve25519-sha256',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
};

/**
 * The one SSH port of the server: people's way to their controllers and the devices' way in are services of it, told
 * apart by the user name. Until a login it is all one: how many strangers there may be, and for how long.
 */
export function createSshListener(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { config, timing, ...dependencies }: Dependencies,
): SshListener {
  const { jumpHost, jumpPort, isJumpOptional, jumpAddress } = config.ssh;
  const { sshHandshakeMs: handshakeTimeoutMs = 15_000, sshAliveMs: aliveMs = 15_000 } = timing;
  // A person may be typing the passphrase of their key; whoever holds a place here keeps somebody else out.
  const { sshLoginMs: loginTimeoutMs = 30_000 } = timing;
  const hostKey: ParsedKey = readHostKey(dependencies.hostKey);
  const blob = hostKey.getPublicSSH();
  const hostKeyFingerprint = fingerprintOf(blob);
  const port = { listener: 'SSH_JUMP_PORT', log };
  const readAddress = createReadTcpAddress(config.http.trustedProxies, handshakeTimeoutMs, port);
  const admission = createSshAdmission(clock, port);
  const services: SshService[] = [];
  const sockets = new Set<Socket>();
  /** Those of them on which nobody has logged in, and whoever has let them in. */
  const waiting = new Map<Socket, (connection: Connection) => void>();
  let address: SshAddress | undefined;

  // One for all connections: each is known by its socket.
  const server = new ssh2.Server(
    {
      hostKeys: [{ key: hostKey, passphrase: '' }],
      algorithms,
      ident: 'Pult',
      keepaliveInterval: aliveMs,
      keepaliveCountMax: 3,
    },
    (connection) => waiting.get(socketOf(connection))?.(connection),
  );

  async function accept(socket: Socket): Promise<void> {
    const client = await readAddress(socket);
    if (socket.destroyed) return;
    const release = admission.acquire(client, () => socket.destroy());
    if (typeof release === 'string') {
      socket.end(`${refusals[release]}\r\n`);
      socket.destroySoon();
      return;
    }
    serve(socket, client, release);
  }

  function serve(socket: Socket, client: string, release: () => void): void {
    let hasTried = false;
    let isLoggedIn = false;
    const handshake = setTimeout(() => socket.destroy(), handshakeTimeoutMs);
    const login = setTimeout(() => socket.destroy(), loginTimeoutMs);
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
    const noteLogin = () => {
      isLoggedIn = true;
      settle();
    };
    waiting.set(socket, (connection) => {
      connection.once('handshake', () => clearTimeout(handshake));
      // Stays for the connection's whole life: an error that nobody hears would end the process.
      connection.on('error', (error: Error & { level?: string }) => {
        log.debug({ err: error, address: client }, 'SSH client failed');
        // Polite words would wait for a peer that answers no more.
        if (error.level === 'client-timeout') socket.destroy();
        else partWith(socket);
      });
      refuseSmallPacketsOfClient(connection);
      refuseOverruns(connection);
      socket.on('data', () => {
        if (socket.writableLength > (isLoggedIn ? maxUnsent : maxUnsentToStrangers)) socket.destroy();
      });
      let evaluate: ReturnType<SshService['serve']> | undefined;
      connection.on('authentication', (attempt) => {
        hasTried ||= attempt.method !== 'none';
        evaluate ??= services
          .find((service) => service.serves(attempt.username))
          ?.serve({ connection, socket, address: client, noteLogin });
        if (!evaluate) return attempt.reject();
        evaluate(attempt).catch((error: Error) => {
          log.error({ err: error }, 'SSH login not evaluated');
          socket.destroy();
        });
      });
    });
    server.injectSocket(socket);
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    accept(socket).catch(() => socket.destroy());
  });
  let closed: Promise<unknown> = Promise.resolve();

  return {
    name: 'ssh-listener',
    hostKeyLine: `${hostKey.type} ${blob.toString('base64')}`,
    get address() {
      return address;
    },
    add: (service) => void services.push(service),

    /** Does nothing where it is turned off, or where its port cannot be had and nobody asked for that very port. */
    async listen(): Promise<void> {
      if (jumpPort === 0) return;
      try {
        listener.listen({ host: jumpHost, port: jumpPort });
        // What keeps it from listening is told once, by whoever waits for it.
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
      listener.on('error', (error) =>
        log.error({ err: error }, 'a connection to the SSH port was not accepted'),
      );
      address = { port: jumpPort, ...jumpAddress, hostKeyFingerprint };
      log.info({ port: jumpPort, hostKeyFingerprint }, 'SSH jump host ready');
    },

    /** Nobody new, and no stranger. Those who are in are their services' to part with. */
    drain(): void {
      address = undefined;
      if (!listener.listening) return;
      closed = once(listener, 'close');
      listener.close();
      for (const socket of waiting.keys()) socket.destroy();
    },

    /** Ends what its services have left, after a moment for their last words. */
    async stop(): Promise<void> {
      const grace = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, stopGrace);
      await closed;
      clearTimeout(grace);
    },
  };
}
