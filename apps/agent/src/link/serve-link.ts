import { TLSSocket } from 'node:tls';
import {
  describeOldTls,
  type LinkCloseReason,
  RESUME_MS,
  type ServiceName,
  serveDeviceLink,
} from '@pult/link';
import type { Config } from '../config/settings.ts';
import { getDeviceInfo } from '../platform/device-info.ts';
import { connectService } from '../services/connect-service.ts';
import type { CollectDiagnostics } from '../services/diagnostics/diagnostics.ts';
import type { Telemetry } from '../services/telemetry/telemetry.ts';
import type { Updates } from '../updates/updates.ts';
import { announceActivation } from './activation.ts';
import { createBulkDialler } from './bulk-dialler.ts';
import type { LinkSocket } from './connect-link.ts';
import type { Identity } from './identity.ts';
import type { StatusKeeper } from './status.ts';

interface ServeOptions {
  config: Config;
  identity: Identity;
  status: StatusKeeper;
  telemetry: Telemetry;
  collectDiagnostics: CollectDiagnostics;
  updates: Updates;
  print(line: string): void;
  /** Dials a second connection, for what the server is asked for. */
  connectSecond(session: string): Promise<LinkSocket>;
  /** Fires for the goodbye. */
  signal: AbortSignal;
}

/** How a connection was lost, and its link with it unless it waits for the next. */
interface LinkLoss {
  reason: LinkCloseReason;
  livedMs: number;
  /** Time over which the server asked its fleet to return; 0 when it did not. */
  graceMs: number;
}

/** A link to the server, over one connection after the other, and a second one for bulk where that is worth it. */
export interface ServedLink {
  /** What the server is asked for, so that this link goes on: with a number that grows each time. */
  askToResume(): string;
  /** Goes on over this connection, if it is part of the same session; false when it is not, and the link has ended. */
  resume(connection: LinkSocket): boolean;
  /** Resolves when its connection is lost. */
  whenLost(): Promise<LinkLoss>;
  readonly isOver: boolean;
}

/** Serves the cloud on an open connection and those that follow it, until the signal says goodbye. */
export function serveLink({ socket, sessionId }: LinkSocket, options: ServeOptions): ServedLink {
  const { config, identity, status, telemetry, collectDiagnostics, updates, print, connectSecond, signal } =
    options;
  let linkedAt = performance.now();
  let graceMs = 0;
  /** Of the newest connection that was asked for, of either kind, and of the newest for everything. */
  let attempt = 0;
  let resumption = 0;
  let isOver = false;
  let isSaving = false;
  let oldTls: string | undefined;
  let tellLoss: (reason: LinkCloseReason) => void = () => {};
  let lost = expectLoss();

  function expectLoss(): Promise<LinkLoss> {
    return new Promise((resolve) => {
      tellLoss = (reason) => resolve({ reason, livedMs: performance.now() - linkedAt, graceMs });
    });
  }

  async function connect(name: ServiceName, gaveUp: AbortSignal) {
    const service = await connectService(name, config, gaveUp);
    if (service instanceof TLSSocket) {
      const before = oldTls;
      oldTls = describeOldTls(service);
      if (oldTls !== undefined && oldTls !== before) print(`The web interface speaks old TLS: ${oldTls}.`);
    }
    return service;
  }

  const bulk = createBulkDialler({
    async connect() {
      attempt += 1;
      const number = attempt;
      const connection = await connectSecond(`${sessionId} ${number} bulk`);
      if (connection.sessionId === sessionId) link.addBulk(connection.socket, number);
      else connection.socket.destroy();
    },
    print,
  });
  const link = serveDeviceLink(
    socket,
    {
      connectService: connect,
      getInfo: () => getDeviceInfo(identity.serialNumber, updates.report()),
      isSaving: () => isSaving,
      putState: (state) => {
        isSaving = state.isSaving ?? false;
        updates.noteState(state);
        telemetry.putState(state);
        announceActivation(state, status, print);
        telemetry.putOwnState({ activationLink: status.current.activationLink });
      },
      readTelemetry: telemetry.read,
      collectDiagnostics,
      takeUpdate: updates.take,
      onGoAway: (goodbye) => {
        graceMs = goodbye.graceMs;
      },
    },
    {
      resumeMs: sessionId === undefined ? 0 : RESUME_MS,
      dialBulk: sessionId === undefined ? undefined : (isUrgent) => bulk.dial(isUrgent),
      onQuiet: telemetry.tellNow,
      onWaiting: (isWaiting) => {
        if (isWaiting) tellLoss('transport');
      },
    },
  );
  const stop = () => link.close('shutdown');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void link.closed.then((reason) => {
    isOver = true;
    signal.removeEventListener('abort', stop);
    tellLoss(reason);
  });

  return {
    askToResume() {
      attempt += 1;
      resumption = attempt;
      return `${sessionId} ${attempt}`;
    },
    resume(connection) {
      if (isOver || connection.sessionId !== sessionId) {
        link.close('transport');
        return false;
      }
      linkedAt = performance.now();
      lost = expectLoss();
      link.resume(connection.socket, resumption);
      return true;
    },
    whenLost: () => lost,
    get isOver() {
      return isOver;
    },
  };
}
