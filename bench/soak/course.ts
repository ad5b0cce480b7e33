import { setTimeout as wait } from 'node:timers/promises';

/** MiB of the server's memory at a moment, by its own metrics. */
interface Moment {
  minute: number;
  resident: number;
  oldSpace: number;
  external: number;
}

const names: Record<Exclude<keyof Moment, 'minute'>, string> = {
  resident: 'process_resident_memory_bytes',
  oldSpace: 'nodejs_heap_space_size_used_bytes{space="old"}',
  external: 'nodejs_external_memory_bytes',
};

async function readMoment(url: string, minute: number): Promise<Moment> {
  const text = await (await fetch(url)).text();
  const read = (name: string) => {
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    if (!line) throw new Error(`${name} is not among the metrics`);
    return Number(line.slice(name.length + 1)) / 2 ** 20;
  };
  return {
    minute,
    resident: read(names.resident),
    oldSpace: read(names.oldSpace),
    external: read(names.external),
  };
}

/** Reads the least of each span of so many minutes, since garbage comes and goes, until the signal says stop. */
export async function watchMemory(url: string, spanMinutes: number, signal: AbortSignal): Promise<Moment[]> {
  const least: Moment[] = [];
  try {
    for (let reading = 0; ; reading++) {
      await wait(15_000, undefined, { signal });
      const span = Math.floor((reading * 15) / 60 / spanMinutes);
      const moment = await readMoment(url, (span + 1) * spanMinutes);
      const before = least[span] ?? moment;
      least[span] = {
        minute: moment.minute,
        resident: Math.min(before.resident, moment.resident),
        oldSpace: Math.min(before.oldSpace, moment.oldSpace),
        external: Math.min(before.external, moment.external),
      };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return least;
}
