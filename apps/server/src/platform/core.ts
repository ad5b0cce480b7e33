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
import type { Logger } from './log.ts';
import type { Mail } from './mail/index.ts';
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
  mail: Mail;
}
