/** Small things of a test's own; only under Vitest, at whose end they go. */
export * from './deferred.ts';
export * from './listen.ts';
export * from './start-line.ts';
