import { type Metric, sample } from '../../prometheus/metric.ts';
import type { NodeBus } from '../bus/node-bus.ts';
import type { SharedEvents } from '../bus/shared-events.ts';
import type { NodeLink } from './node-link.ts';

/** Whether this node hears the others, and what it has not heard or not believed. */
export function createNodeLinkMetrics(
  bus: NodeBus,
  link: Pick<NodeLink, 'counts' | 'state'>,
  shared: Pick<SharedEvents, 'gaps'>,
): readonly Metric[] {
  return [
    {
      name: 'pult_bus_connected',
      help: 'Whether NATS is reached: 1 or 0',
      type: 'gauge',
      read: () => sample(bus.isConnected ? 1 : 0),
    },
    {
      name: 'pult_bus_messages_total',
      help: 'Messages to and from other nodes',
      type: 'counter',
      labels: ['direction'],
      read: () => [
        { labels: { direction: 'in' }, value: bus.counts.received },
        { labels: { direction: 'out' }, value: bus.counts.sent },
      ],
    },
    {
      name: 'pult_bus_dropped_total',
      help: 'Messages that were not believed, by reason',
      type: 'counter',
      labels: ['reason'],
      read: () => bus.counts.dropped.read('reason'),
    },
    {
      name: 'pult_bus_unanswered_total',
      help: 'Questions to other nodes without an answer, by reason',
      type: 'counter',
      labels: ['reason'],
      read: () => bus.counts.failed.read('reason'),
    },
    {
      name: 'pult_bus_gaps_total',
      help: 'Times that events of other nodes may have been missed',
      type: 'counter',
      read: () => sample(shared.gaps),
    },
    {
      name: 'pult_node_connections',
      help: 'Connections between nodes, by who opens streams over them',
      type: 'gauge',
      labels: ['direction'],
      read: () => [
        { labels: { direction: 'in' }, value: link.state.in },
        { labels: { direction: 'out' }, value: link.state.out },
      ],
    },
    {
      name: 'pult_node_unreachable_total',
      help: 'Tries to connect to another node that failed',
      type: 'counter',
      read: () => sample(link.counts.failed),
    },
  ];
}
