import { type DiskSpace, measureDisk } from '@pult/files';
import type { Feature } from './feature.ts';
import { type Metric, sample, shareReading } from './prometheus/metric.ts';

const gigabyte = 2 ** 30;

/** `fail`: a full disk stops the database, and this one nearly is. */
export function judgeRoom({ bytes, availableBytes }: DiskSpace): 'ok' | 'warn' | 'fail' {
  if (availableBytes < gigabyte / 2) return 'fail';
  return availableBytes / bytes < 0.1 || availableBytes < 2 * gigabyte ? 'warn' : 'ok';
}

/** Room for what the server keeps. */
export function createDiskMetrics({ dataDir }: { dataDir: string }): Feature {
  const measure = shareReading(() => measureDisk(dataDir));
  const gauge = (name: Metric['name'], help: string, figure: keyof DiskSpace): Metric => ({
    name,
    help: `${help} of the data folder`,
    type: 'gauge',
    read: async () => sample((await measure())[figure]),
  });
  return {
    name: 'disk',
    metrics: [
      gauge('pult_disk_size_bytes', 'Size of the file system', 'bytes'),
      gauge('pult_disk_available_bytes', 'Space that is left on the file system', 'availableBytes'),
      gauge('pult_disk_files_limit', 'Files that there may be on the file system', 'files'),
      gauge('pult_disk_files_available', 'Files that may still be made on the file system', 'availableFiles'),
    ],
  };
}
