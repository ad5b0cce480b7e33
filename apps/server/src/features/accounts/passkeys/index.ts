export type { AcceptPasskey } from './passkey-proofs.ts';
export { registerPasskeyRoutes } from './passkeys.routes.ts';
export { createPasskeys, type Passkeys } from './passkeys.ts';
