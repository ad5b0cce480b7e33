import type { Clock } from '../clock.ts';
import { type Counts, type Metric, shareReading } from '../prometheus/metric.ts';
import type { OpenDeliveries } from './deliveries.repository.ts';

/** How mails and webhooks go out, by channel. */
export function createDeliveryMetrics(dependencies: {
  clock: Clock;
  countOpen: () => Promise<OpenDeliveries[]>;
  /** Without a mail server mails wait for the administrator, however long. */
  isServed: (channel: string) => boolean;
  /** Tries since the start, by what became of them. */
  tries: Counts;
}): readonly Metric[] {
  const { clock, isServed, tries } = dependencies;
  const read = shareReading(dependencies.countOpen);
  return [
    {
      name: 'pult_deliveries',
      help: 'Mails and webhooks that wait to be sent, and those of the last 90 days that could not be',
      type: 'gauge',
      labels: ['channel', 'status'],
      read: async () =>
        (await read()).flatMap(({ channel, waiting, refused }) => [
          { labels: { channel, status: 'waiting' }, value: waiting },
          { labels: { channel, status: 'refused' }, value: refused },
        ]),
    },
    {
      name: 'pult_delivery_oldest_waiting_seconds',
      help: 'Age of the oldest mail or webhook that waits to be sent, where something sends them',
      type: 'gauge',
      labels: ['channel'],
      read: async () =>
        (await read())
          .filter(({ channel }) => isServed(channel))
          .map(({ channel, oldest }) => ({
            labels: { channel },
            value: oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0,
          })),
    },
    {
      name: 'pult_delivery_tries_total',
      help: 'Tries to send a mail or webhook, by what became of them',
      type: 'counter',
      labels: ['outcome'],
      read: () => tries.read('outcome'),
    },
  ];
}
