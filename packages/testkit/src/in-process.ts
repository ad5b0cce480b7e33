/** The server inside the test's own process; only under Vitest, which starts its database. */
export * from './linked-device.ts';
export * from './listening-server.ts';
export * from './test-clock.ts';
export * from './test-controller.ts';
export * from './test-device.ts';
export * from './test-server.ts';
