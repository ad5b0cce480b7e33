import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../tunnel/figures.ts';
import { readResidentMemory } from '../tunnel/machine.ts';

/** MiB and open files, sockets included. */
export interface Footprint {
  memory: number;
  handles: number;
}

/** What a process holds while nothing is asked of it: the median of some moments, since garbage comes and goes. */
export async function readFootprint(pid: number): Promise<Footprint> {
  const memory: number[] = [];
  const handles: number[] = [];
  for (let count = 0; count < 7; count++) {
    memory.push(await readResidentMemory(pid));
    handles.push((await readdir(`/proc/${pid}/fd`)).length);
    await wait(1_000);
  }
  return { memory: median(memory), handles: median(handles) };
}
