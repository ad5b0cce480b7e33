import { Counts } from '../../platform/prometheus/metric.ts';
import { type CloseReason, closeReasons, type EndpointStream } from './device-connection.ts';

/** What has happened to links since the server's start. */
export interface LinkCounts {
  opened: number;
  /** Cut, and waited for. */
  cut: number;
  readonly ended: Counts;
  readonly streamsOpened: Counts;
  readonly streamsOpen: Counts;
  countEnd(reason: CloseReason): void;
  countStream(endpoint: string, stream: EndpointStream): void;
}

/** A port is not told apart from others: their numbers are what people have chosen. */
const endpointSorts = ['http', 'ssh', 'port'] as const;

function sortOf(endpoint: string): (typeof endpointSorts)[number] {
  return endpoint === 'http' || endpoint === 'ssh' ? endpoint : 'port';
}

export function createLinkCounts(): LinkCounts {
  const ended = new Counts(closeReasons);
  const streamsOpened = new Counts(endpointSorts);
  const streamsOpen = new Counts(endpointSorts);
  return {
    opened: 0,
    cut: 0,
    ended,
    streamsOpened,
    streamsOpen,
    countEnd: (reason) => ended.add(reason),
    countStream(endpoint, stream) {
      const sort = sortOf(endpoint);
      streamsOpened.add(sort);
      streamsOpen.add(sort);
      stream.once('close', () => streamsOpen.add(sort, -1));
    },
  };
}
