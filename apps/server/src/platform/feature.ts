import type { SecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Access } from './access/index.ts';
import type { RecordAuditEvent } from './audit.ts';
import type { Clock } from './clock.ts';
import type { Node } from './cluster/index.ts';
import type { Database } from './db/schema.ts';
import type { Deliveries } from './delivery/index.ts';
import type { DiskGuard } from './disk-guard.ts';
import type { Encryptor } from './encryptor.ts';
import type { Events } from './events/events.ts';
import type { Api } from './http/api.ts';
import type { HostHandler, UpgradeRoute } from './http/host-server.ts';
import type { RenewedTls } from './http/tls-files.ts';
import type { QueuedJob, RecurringJob } from './jobs/jobs.ts';
import type { Logger } from './log.ts';
import type { Mailing } from './mail/index.ts';
import type { Metric } from './prometheus/metric.ts';
import type { Tracing } from './tracing/tracing.ts';

/** What every feature may use. Whatever else one needs, of another feature too, is a named dependency of its own. */
export interface Core {
  db: Database;
  clock: Clock;
  events: Events;
  log: Logger;
  tracing: Tracing;
  recordAudit: RecordAuditEvent;
  /** Who may do what, for what no row of the contract says. */
  access: Access;
  /** This run of the server among others. */
  node: Node;
  config: Config;
  secrets: Secrets;
  /** The origin under which people reach the server. */
  publicUrl: string;
  encryptor: Encryptor;
  diskGuard: DiskGuard;
  deliveries: Deliveries;
  mailing: Mailing;
}

/** Where a feature puts its calls: those of the contract on `api`, any other path on `app`. */
export interface Http {
  api: Api;
  app: FastifyInstance;
}

/**
 * A part of the server: what it adds, and what it does at start and stop. The server holds a list of them in which each
 * stands behind those it needs. A phase of the start begins in the order of the list and one of the stop in the opposite
 * order; it goes on in all features at once, and the next begins when it is over.
 *
 * Start: `recoverFromCrash` of all → `start` of all → the server listens → `listen` of all.
 * Stop: `drain` of all → `whenIdle` of all, for the grace of the stop → `stop` of all → the connections left are cut.
 */
export interface Feature {
  readonly name: string;
  routes?(http: Http): void | Promise<void>;
  readonly jobs?: readonly RecurringJob[];
  /** Those that wait in the queue until something is to be done. */
  readonly queuedJobs?: readonly QueuedJob[];
  /** Its own figures, for Prometheus. */
  readonly metrics?: readonly Metric[];
  /** Take whole requests before the API sees them. Those of later features are asked first. */
  readonly hosts?: readonly HostHandler[];
  /** Take connections that leave HTTP, by path. */
  readonly upgrades?: readonly UpgradeRoute[];
  /** The certificate for a name that a TLS client asks for; undefined where it is the server's own. */
  secureContextFor?(serverName: string): SecureContext | undefined;
  /** The certificate for an authority that looks at this name by TLS-ALPN-01, while it does. */
  challengeContextFor?(serverName: string): SecureContext | undefined;
  /** Whether TLS clients that ask for this name are asked for a certificate in turn. */
  asksCertificate?(serverName: string): boolean;
  /** Takes a renewed certificate for the connections to come. Throws when key and certificate differ. */
  renewTls?(renewed: RenewedTls): void;

  /**
   * Ends what runs of the server have left open that are gone, and nothing of those that are there. Done before anything is opened or
   * listened on, and when another node is gone.
   */
  recoverFromCrash?(): Promise<unknown>;
  /** Begins what goes on while the server runs: timers, subscriptions, looks at the database. */
  start?(): void | Promise<void>;
  /** Opens listeners of its own, once the server listens. Throws where a port that is needed cannot be had. */
  listen?(): Promise<void>;

  /**
   * Takes nothing new and asks those who are connected to leave within `graceMs`. What nobody would wait for ends at once.
   * Resolves when what was taken is stored: this is waited for beside everything else, and given up at the end.
   */
  drain?(graceMs: number): void | Promise<void>;
  /** Resolves when no request is being answered on listeners of its own. */
  whenIdle?(): Promise<void>;
  /** Cuts what is left and resolves when it is written down. */
  stop?(): void | Promise<void>;
}
