import { setTimeout as wait } from 'node:timers/promises';
import { TelemetryEncoder, type TelemetryEntry, type TelemetryOffset } from '@pult/link';

const valuesEveryMs = 10_000;
/** Of measurements of the system, among the times at which values are told. */
const measurementEvery = 6;

/**
 * What an agent tells at which nobody looks: a measurement of the system a minute, and every ten seconds so many values, all of which
 * have changed. Devices begin at moments of their own.
 */
export async function* tellLikeAnAgent(values: number, { offset }: TelemetryOffset, signal: AbortSignal) {
  const encoder = new TelemetryEncoder();
  yield encoder.encodeGreeting({ streamId: 'bench-stream', lost: 0 });
  let last = offset;
  const rest = (milliseconds: number) => wait(milliseconds, undefined, { signal }).catch(() => {});
  await rest(Math.random() * valuesEveryMs);
  for (let time = Math.floor(Math.random() * measurementEvery); !signal.aborted; time += 1) {
    const entries: TelemetryEntry[] = Array.from({ length: values }, (_, index) => ({
      offset: last + 1 + index,
      age: Math.floor(Math.random() * valuesEveryMs),
      device: 'wb-map12e',
      control: `Channel ${index + 1}`,
      value: (200 + Math.random() * 50).toFixed(2),
    }));
    if (time % measurementEvery === 0) entries.push(measure(last + 1 + values));
    last += entries.length;
    if (entries.length > 0) yield* encoder.encode(entries);
    await rest(valuesEveryMs);
  }
}

function measure(offset: number): TelemetryEntry {
  return {
    offset,
    age: 0,
    metrics: {
      load15: Math.random(),
      cpu_usage: Math.random() * 100,
      mem_available: Math.round(Math.random() * 512e6),
      disk_free_root: Math.round(Math.random() * 1e9),
      disk_free_data: Math.round(Math.random() * 2e9),
      temperature: 40 + Math.random() * 20,
      uptime: offset * 60,
    },
  };
}
