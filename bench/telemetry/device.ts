import { serveDeviceLink, TelemetryEncoder, type TelemetryEntry } from '@pult/link';
import { link as openLink } from '../fuzz/connect.ts';
import { createBenchIdentity, describeBenchDevice } from '../links/device-keys.ts';

/** Device `number`, which tells as much as the server takes: `entryOf` makes one entry by its number. Answers how it is stopped. */
export async function startLoadDevice(
  number: number,
  { serverUrl, entryOf }: { serverUrl: string; entryOf(offset: number): TelemetryEntry },
): Promise<() => void> {
  const { serialNumber } = createBenchIdentity(number);
  const { socket } = await openLink({ serverUrl, ca: undefined, transport: 'upgrade' }, number, 'new');
  let isStopped = false;
  const link = serveDeviceLink(socket, {
    connectService: () => Promise.reject(new Error('none')),
    getInfo: () => describeBenchDevice(serialNumber),
    putState: () => {},
    async *readTelemetry({ offset }, end) {
      const encoder = new TelemetryEncoder();
      yield encoder.encodeGreeting({ streamId: 'stream-of-load', lost: 0 });
      for (let next = offset + 1; !end.aborted && !isStopped; next += 500) {
        yield* encoder.encode(Array.from({ length: 500 }, (_, index) => entryOf(next + index)));
        // As much as an honest agent tells: the server would cut more.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
  });
  return () => {
    isStopped = true;
    link.close();
  };
}
