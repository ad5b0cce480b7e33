import { type Metric, sample } from '../../platform/prometheus/metric.ts';
import type { LiveTunnels } from './live-tunnels.ts';

/** What people have open through tunnels. */
export function createTunnelMetrics(live: Pick<LiveTunnels, 'size' | 'counts'>): readonly Metric[] {
  const { counts } = live;
  return [
    {
      name: 'pult_tunnels',
      help: 'Tunnels to controllers that are used now',
      type: 'gauge',
      labels: ['kind'],
      read: () => counts.open().read('kind'),
    },
    {
      name: 'pult_tunnel_connections',
      help: 'Requests, WebSockets, terminals, streams and channels that are open through tunnels',
      type: 'gauge',
      read: () => sample(live.size),
    },
    {
      name: 'pult_tunnels_begun_total',
      help: 'Tunnels that were begun to be used',
      type: 'counter',
      labels: ['kind'],
      read: () => counts.begun.read('kind'),
    },
    {
      name: 'pult_tunnels_ended_total',
      help: 'Tunnels that have ended, by reason',
      type: 'counter',
      labels: ['reason'],
      read: () => counts.ended.read('reason'),
    },
  ];
}
