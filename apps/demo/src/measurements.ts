import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type MetricName, TelemetryEncoder, type TelemetryOffset } from '@pult/link';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
/**
 * Minutes between measurements of the past: a day of them is told when the server first asks. All controllers have measured
 * at the same quarters of an hour: a figure of the fleet is of all of them each time, or it would leap to and fro.
 */
export const pastStep = 15;

/** What a simulated controller measures in a minute since 1970: a day's course of its own, and some noise. */
function measure(serialNumber: string, minute: number): Partial<Record<MetricName, number>> {
  const [one = 0, two = 0, three = 0] = createHash('sha256').update(serialNumber).digest();
  const noise = createHash('sha256').update(`${serialNumber} ${minute}`).digest().readUInt16BE() / 65_536;
  const day = Math.sin((2 * Math.PI * (minute % dayMinutes)) / dayMinutes + one / 80);
  const busy = Math.max(2, 8 + two / 16 + 5 * day + 6 * noise);
  return {
    cpu_usage: Number(busy.toFixed(1)),
    load15: Number((busy / 40 + 0.1 * noise).toFixed(2)),
    mem_available: Math.round((180 + three - 12 * day - 8 * noise) * 2 ** 20),
    disk_free_root: (600 + one) * 2 ** 20,
    disk_free_data: Math.round((3 + two / 100) * 2 ** 30),
    temperature: Number((41 + three / 20 + 3 * day + noise).toFixed(1)),
    uptime: ((minute + one * 100) % (60 * dayMinutes)) * 60,
  };
}

/** Its telemetry: what the server has not heard of the last day, then each minute's until `ended`. */
export async function* tellMeasurements(
  serialNumber: string,
  since: TelemetryOffset,
  ended: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // Numbered by the minute, the same at every start: nothing is told twice.
  const streamId = `demo-${serialNumber}`;
  const encoder = new TelemetryEncoder();
  const tell = (minute: number) => {
    const age = Math.max(0, Date.now() - minute * minuteMs);
    return encoder.encode([{ offset: minute, age, metrics: measure(serialNumber, minute) }]);
  };
  yield encoder.encodeGreeting({ streamId, lost: 0 });
  const now = Math.floor(Date.now() / minuteMs);
  let last = Math.max(since.streamId === streamId ? since.offset : 0, now - dayMinutes);
  const quarter = (Math.floor(last / pastStep) + 1) * pastStep;
  for (let minute = quarter; minute < now; minute += pastStep) {
    yield* tell(minute);
    last = minute;
  }
  while (!ended.aborted) {
    const minute = Math.floor(Date.now() / minuteMs);
    if (minute > last) {
      yield* tell(minute);
      last = minute;
    }
    await wait(minuteMs, undefined, { signal: ended }).catch(() => {});
  }
}
