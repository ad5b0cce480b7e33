/** What tests build a server in their own process with. Production code never imports this. */

export {
  removeEmbeddedDatabase,
  startEmbeddedPostgres,
} from '@pult/embedded-postgres';
export { type ComposedServer, composeServer } from './compose.ts';
export { loadConfig } from './config/config.ts';
export { readEnvironment } from './config/env.ts';
export { loadSecrets, type Secrets } from './config/secrets.ts';
export { hashPassword, hashPasswordsCheaply } from './features/accounts/index.ts';
export { createControllersRepository } from './features/controllers/index.ts';
export { createHistoryRecorder } from './features/history/index.ts';
export { createMetricSamplesRepository } from './features/telemetry/index.ts';
export { createScope } from './platform/access/index.ts';
export type { Clock } from './platform/clock.ts';
export { type ConnectionSettings, connectDatabase, type DatabaseConnection } from './platform/db/connect.ts';
export { measureMigrations, migrateDatabase } from './platform/db/migrate.ts';
export type { Database } from './platform/db/schema.ts';
export { decryptContent } from './platform/delivery/index.ts';
export { createEncryptor } from './platform/encryptor.ts';
export { createId } from './platform/ids.ts';
export { type Jobs, startJobs } from './platform/jobs/jobs.ts';
export { createLog, type Logger } from './platform/log.ts';
export type { MailContent } from './platform/mail/index.ts';
