// Written by `npm run docs`.
export * from './admin.ts';
export * from './api.ts';
export * from './completion.ts';
export * from './diagnostics.ts';
export * from './forward.ts';
export * from './inventory.ts';
export * from './list.ts';
export * from './login.ts';
export * from './open.ts';
export * from './ssh.ts';
