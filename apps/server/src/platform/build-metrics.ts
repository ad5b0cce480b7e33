import type { Feature } from './feature.ts';

/** Which program runs. */
export function createBuildMetrics(version: string): Feature {
  return {
    name: 'build',
    metrics: [
      {
        name: 'pult_build_info',
        help: 'Versions of the server and of its Node, as labels',
        type: 'gauge',
        labels: ['version', 'node'],
        read: () => [{ labels: { version, node: process.versions.node }, value: 1 }],
      },
    ],
  };
}
