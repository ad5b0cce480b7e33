import type { Core, Feature } from '../feature.ts';
import { samplesBy } from '../prometheus/metric.ts';

const states = ['active', 'leaving', 'left', 'lost'] as const;

/** How many nodes there are, for whoever has started a certain number. */
export function createNodeMetrics({ node }: Pick<Core, 'node'>): Feature {
  return {
    name: 'nodes',
    metrics: [
      {
        name: 'pult_nodes',
        help: 'Nodes of the installation by state; those that have left or were lost are counted for a day',
        type: 'gauge',
        labels: ['state'],
        async read() {
          const listed = await node.list();
          return samplesBy(
            'state',
            states.map((state) => [state, listed.filter((each) => each.state === state).length] as const),
          );
        },
      },
    ],
  };
}
