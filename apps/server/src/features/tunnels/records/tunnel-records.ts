import type { TunnelEndReason } from '@pult/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Node } from '../../../platform/cluster/index.ts';
import { createId } from '../../../platform/ids.ts';
import type { Logger } from '../../../platform/log.ts';
import type { TunnelRecord } from './tunnel-record.ts';
import type { TunnelRecordsRepository } from './tunnel-records.repository.ts';

/** Writes records down, many at a time: at their begin and end soon, their bytes now and then. */
export interface TunnelRecords {
  begin(opened: Pick<TunnelRecord, 'userId' | 'target' | 'kind' | 'port' | 'address'>): TunnelRecord;
  count(record: TunnelRecord, bytesIn: number, bytesOut: number): void;
  end(record: TunnelRecord, reason: TunnelEndReason, by?: string): void;
  /** Resolves once everything known so far is written. */
  flush(): Promise<void>;
  start(): void;
  /** Flushes for the last time. */
  stop(): Promise<void>;
}

/** At most; what a crash may leave unwritten. */
const flushIntervalMs = 5_000;
/** Rows of one statement. */
const batch = 1_000;

export function createTunnelRecords(dependencies: {
  repository: Pick<TunnelRecordsRepository, 'save'>;
  clock: Clock;
  node: Pick<Node, 'id'>;
  log: Logger;
}): TunnelRecords {
  const { repository, clock, node, log } = dependencies;
  /** What differs from what is written. */
  let changed = new Set<TunnelRecord>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const taken = [...changed];
    changed = new Set();
    for (let from = 0; from < taken.length; from += batch) {
      try {
        await repository.save(taken.slice(from, from + batch), clock.now());
      } catch (error) {
        // Tried again with what has changed meanwhile.
        for (const record of taken.slice(from)) changed.add(record);
        throw error;
      }
    }
  }

  const records: TunnelRecords = {
    begin(opened) {
      const record = {
        ...opened,
        id: createId(),
        startedAt: clock.now(),
        nodeId: node.id,
        bytesIn: 0,
        bytesOut: 0,
        end: undefined,
      };
      changed.add(record);
      return record;
    },
    count(record, bytesIn, bytesOut) {
      record.bytesIn += bytesIn;
      record.bytesOut += bytesOut;
      changed.add(record);
    },
    end(record, reason, by) {
      record.end ??= { at: clock.now(), reason, by: by ?? null };
      changed.add(record);
    },
    flush() {
      // One after the other: of two writes of one record the later one knows more.
      writing = writing.then(write, write);
      return writing;
    },
    start() {
      timer = setInterval(() => {
        if (changed.size === 0) return;
        records.flush().catch((error: Error) => log.error({ err: error }, 'tunnels not written down'));
      }, flushIntervalMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await records.flush().catch((error: Error) => log.error({ err: error }, 'tunnels not written down'));
    },
  };
  return records;
}
