/** What is mutated, and which tests judge it: `bench/mutations.ts`. */

export interface MutationArea {
  name: string;
  /** The project of vitest.config.ts whose settings its tests run with. */
  project: 'node' | 'console';
  /** Sources that are changed, as patterns of git; tests, fixtures and message catalogs among them are left out. */
  sources: string[];
  /** Globs of the tests that may notice: those beside the sources, so that a run ends. A score is therefore a lower bound. */
  tests: string[];
}

/** The rules of a feature of the server, judged by its own tests and by the one of who may do what. */
const servicesOf = (feature: string): MutationArea => ({
  name: `services:${feature}`,
  project: 'node',
  sources: [`apps/server/src/features/${feature}/*.service.ts`],
  tests: [`apps/server/src/features/${feature}/**/*.test.ts`, 'apps/server/src/access-matrix.test.ts'],
});

export const mutationAreas: MutationArea[] = [
  {
    name: 'permissions',
    project: 'node',
    sources: ['packages/contract/src/permissions.ts'],
    tests: ['packages/contract/src/permissions.test.ts'],
  },
  {
    name: 'contract',
    project: 'node',
    sources: ['packages/contract/src/*.ts'],
    tests: ['packages/contract/src/**/*.test.ts'],
  },
  {
    name: 'console:app',
    project: 'console',
    sources: ['apps/console/src/app/*.ts', 'apps/console/src/app/*.tsx'],
    tests: ['apps/console/src/app/**/*.test.{ts,tsx}'],
  },
  {
    name: 'console:shared',
    project: 'console',
    sources: ['apps/console/src/shared/*.ts', 'apps/console/src/shared/*.tsx'],
    tests: ['apps/console/src/shared/**/*.test.{ts,tsx}'],
  },
  ...[
    'accounts',
    'activation',
    'alerts',
    'controllers',
    'devices',
    'diagnostics',
    'groups',
    'monitoring',
    'organizations',
    'telemetry',
    'tunnels',
  ].map(servicesOf),
];
