import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricName } from '@pult/link';

export interface MetricPlaces {
  proc: string;
  thermal: string;
  root: string;
  /** The data partition; what is on the same file system as `root` counts as none. */
  data: string;
}

export const metricPlaces: MetricPlaces = {
  proc: '/proc',
  thermal: '/sys/class/thermal',
  root: '/',
  data: '/mnt/data',
};

type Metrics = Partial<Record<MetricName, number>>;

/** Processor time so far, in ticks. */
interface CpuTimes {
  busy: number;
  total: number;
}

/** Reads the machine's figures again and again. What a machine does not have is left out. */
export function createSystemMetrics(places: MetricPlaces = metricPlaces): () => Metrics {
  const readProc = (name: string) => readTextFile(join(places.proc, name)) ?? '';
  let before = readCpuTimes(readProc('stat'));
  return () => {
    const now = readCpuTimes(readProc('stat'));
    const cpuUsage = before && now ? getUsage(before, now) : undefined;
    before = now ?? before;
    const all: Record<MetricName, number | undefined> = {
      load15: toNumber(readProc('loadavg').split(' ')[2]),
      cpu_usage: cpuUsage,
      mem_available: readAvailableMemory(readProc('meminfo')),
      disk_free_root: readFreeSpace(places.root)?.bytes,
      disk_free_data: readDataSpace(places),
      temperature: readTemperature(places.thermal),
      uptime: toNumber(readProc('uptime').split(' ')[0]),
    };
    return Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined && Number.isFinite(value)),
    );
  };
}

/** `cpu user nice system idle iowait irq softirq steal guest guest_nice`; guest is in user already. */
function readCpuTimes(stat: string): CpuTimes | undefined {
  const times = /^cpu +(\S.*)$/m.exec(stat)?.[1]?.split(' ').slice(0, 8).map(Number);
  if (!times || times.length < 4 || times.some(Number.isNaN)) return undefined;
  const total = times.reduce((sum, time) => sum + time, 0);
  const idle = (times[3] ?? 0) + (times[4] ?? 0);
  return { busy: total - idle, total };
}

function getUsage(before: CpuTimes, now: CpuTimes): number | undefined {
  const total = now.total - before.total;
  if (total <= 0) return undefined;
  return Math.round(Math.min(100, Math.max(0, ((now.busy - before.busy) / total) * 100)) * 10) / 10;
}

function readAvailableMemory(meminfo: string): number | undefined {
  const kilobytes = /^MemAvailable: +([0-9]+) kB$/m.exec(meminfo)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function readFreeSpace(path: string): { bytes: number; total: number } | undefined {
  try {
    // What programs without special rights can still write.
    const { bavail, bsize, blocks } = statfsSync(path);
    return { bytes: bavail * bsize, total: blocks * bsize };
  } catch {
    return undefined;
  }
}

function readDataSpace({ root, data }: MetricPlaces): number | undefined {
  const space = readFreeSpace(data);
  const rootSpace = readFreeSpace(root);
  // A folder without a partition of its own tells what is told already.
  const isSame = space?.total === rootSpace?.total && space?.bytes === rootSpace?.bytes;
  return isSame ? undefined : space?.bytes;
}

/** The hottest zone. Broken sensors report absurd values. */
function readTemperature(folder: string): number | undefined {
  let zones: string[] = [];
  try {
    zones = readdirSync(folder).filter((name) => name.startsWith('thermal_zone'));
  } catch {
    // None.
  }
  const degrees = zones
    .map((zone) => toNumber(readTextFile(join(folder, zone, 'temp'))?.trim()))
    .filter((value) => value !== undefined)
    .map((milli) => milli / 1000)
    .filter((value) => value > -60 && value < 200);
  return degrees.length > 0 ? Math.max(...degrees) : undefined;
}

function toNumber(text: string | undefined): number | undefined {
  return text && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
