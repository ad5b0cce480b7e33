/**
 * What the contract knows without its schemas, as `@pult/contract/values`: a page that needs only the lists does not
 * load the validation of the whole API with them. The schemas are made of these lists.
 */
export * from '../limits.ts';
export * from '../locale.ts';
export * from '../permissions.ts';
export * from '../system-metrics.ts';
export * from '../totp.ts';
export * from './agent-updates.ts';
export * from './alerts.ts';
export * from './audit.ts';
export * from './audit-details.ts';
export * from './commands.ts';
export * from './connection-kinds.ts';
export * from './controller-fields.ts';
export * from './controllers.ts';
export * from './diagnostics.ts';
export * from './email.ts';
export * from './endpoints.ts';
export * from './enrolment-keys.ts';
export * from './file-names.ts';
export * from './installation.ts';
export * from './overview.ts';
export * from './reserved-ports.ts';
export * from './text.ts';
export * from './traffic.ts';
export * from './tunnels.ts';
export * from './webhooks.ts';
export * from './wiren-board.ts';
