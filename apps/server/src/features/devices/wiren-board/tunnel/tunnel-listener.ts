import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { DomainError } from '../../../../platform/errors.ts';
import type { TlsPair } from '../../../../platform/http/tls-files.ts';
import type { Logger } from '../../../../platform/log.ts';
import type { ClientLimits } from '../../client-limits.ts';
import type { Enrolment } from '../../enrolments.repository.ts';
import type { EnrolmentsService } from '../../enrolments.service.ts';
import type { HoldDevice } from '../../hold-device.ts';
import type { DiagnosticsUploads } from '../diagnostics/uploads.ts';
import { FrpSession } from '../frp/session.ts';
import type { OpenBrokerTelemetry } from '../telemetry/broker-telemetry.ts';
import { FrpConnection } from './frp-connection.ts';

interface Dependencies {
  enrolments: Pick<EnrolmentsService, 'getClaimed' | 'admitProven' | 'createLoginToken'>;
  limits: ClientLimits;
  hold: HoldDevice;
  uploads: Pick<DiagnosticsUploads, 'request'>;
  openBroker: OpenBrokerTelemetry;
  /** How often they are asked for what they tell while nobody looks. */
  telemetryEveryMs: number;
  log: Logger;
  /** Without it what comes is no TLS: something before this server ends it. */
  tls: TlsPair | undefined;
}

export interface TunnelListener {
  /** Rejects where the port cannot be had. */
  listen(host: string, port: number): Promise<void>;
  renewTls(tls: TlsPair): void;
  /** Takes no more connections. */
  close(): void;
  /** Cuts those that are left. */
  cutAll(): void;
}

const handshakeMs = 15_000;
/** A name that is longer is nobody's. */
const maxNameLength = 36;

/** Where the frpc of controllers comes in; who logs in becomes the connection of its device. */
export function createTunnelListener({
  enrolments,
  limits,
  hold,
  uploads,
  openBroker,
  telemetryEveryMs,
  log,
  tls,
}: Dependencies): TunnelListener {
  const sockets = new Set<Socket>();

  async function findToken(
    user: string,
    remember: (enrolment: Enrolment) => void,
  ): Promise<string | undefined> {
    const enrolment = user.length <= maxNameLength ? await enrolments.getClaimed(user) : undefined;
    if (enrolment?.connection_kind !== 'wiren-board') return undefined;
    remember(enrolment);
    return enrolments.createLoginToken(enrolment);
  }

  function onConnection(socket: Socket): void {
    let enrolment: Enrolment | undefined;
    let release = () => {};
    try {
      release = limits.enterQueue(socket.remoteAddress ?? '');
    } catch (error) {
      // Too many wait: it comes again by itself.
      if (!(error instanceof DomainError)) log.error({ err: error }, 'tunnel not taken');
      socket.destroy();
      return;
    }
    const session = new FrpSession(socket, {
      findToken: (user) =>
        findToken(user, (found) => {
          enrolment = found;
        }),
      onReady: (ready) => {
        release();
        if (!enrolment) return; // nobody is ready without it
        const { id } = enrolment;
        enrolments
          .admitProven(enrolment)
          .then((admitted) =>
            hold(
              admitted,
              new FrpConnection(ready, {
                requestDiagnostics: (signal) => uploads.request(id, signal),
                openBroker,
                telemetryEveryMs,
              }),
            ),
          )
          .catch((error: Error) => {
            log.error({ err: error }, 'tunnel not taken');
            ready.close('transport');
          });
      },
    });
    void session.closed.then(release);
  }

  const settings = { keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true };
  const server: Server = tls
    ? createTlsServer({ ...settings, ...tls, handshakeTimeout: handshakeMs }, onConnection)
    : createServer(settings, onConnection);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    async listen(host, port) {
      server.listen({ host, port });
      await once(server, 'listening');
    },
    renewTls(pair) {
      if (server instanceof TlsServer) server.setSecureContext(pair);
    },
    close: () => void server.close(),
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
