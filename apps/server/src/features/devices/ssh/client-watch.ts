import type { Connection } from 'ssh2';
import type { Clock } from '../../../platform/clock.ts';
import { watchClient } from '../../../platform/ssh/ssh2-internals.ts';
import { createTokenBuckets, type TokenRate } from '../../../platform/token-buckets.ts';

/** Packets of SSH, as the frames of a link: a page of the fastest line needs a tenth. */
const packets: TokenRate = { burst: 32_768, perSecond: 16_000 };
/** What a device asks for: its forwards, a terminal, and questions whether the server is there. */
const requests: TokenRate = { burst: 100, perSecond: 2 };

/** Calls `onFlood` once a device sends more than any honest one; nothing more of it is read. */
export function refuseFloods(connection: Connection, clock: Clock, onFlood: () => void): void {
  const take = (rate: TokenRate) => {
    const bucket = createTokenBuckets(clock, rate, { maxBuckets: 1 });
    return () => {
      if (!bucket.take('')) return;
      onFlood();
      throw new Error('The device sends more than any honest one');
    };
  };
  watchClient(connection, { onPacket: take(packets), onRequest: take(requests) });
}
