import { cpus } from 'node:os';

interface ProcessorTimes {
  idle: number;
  all: number;
}

/** Milliseconds of all processors of this machine since it started: how long they waited, and all of it. */
export function readProcessorTimes(): ProcessorTimes {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
}

/** The share of the time since `before` in which the processors had nothing to do, from 0 to 1. */
export function findIdleShare(before: ProcessorTimes): number {
  const { idle, all } = readProcessorTimes();
  return all === before.all ? 0 : (idle - before.idle) / (all - before.all);
}
