import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempDir } from '../../testing/temp-dir.ts';
import { createSystemMetrics, metricPlaces } from './system-metrics.ts';

function createPlaces() {
  const folder = createTempDir();
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const places = {
    proc: join(folder, 'proc'),
    thermal: join(folder, 'thermal'),
    root: '/',
    data: join(folder, 'none'),
  };
  return { write, places };
}

test('figures of a board', () => {
  const { write, places } = createPlaces();
  write('proc/stat', 'cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 1 1 1\n');
  write('proc/loadavg', '0.10 0.20 1.35 2/300 4000\n');
  write('proc/meminfo', 'MemTotal:  1000 kB\nMemAvailable:     512 kB\n');
  write('proc/uptime', '3600.52 7000.00\n');
  write('thermal/thermal_zone0/temp', '48200\n');
  write('thermal/thermal_zone1/temp', '51750\n');
  write('thermal/thermal_zone2/temp', '-274000\n');
  const measure = createSystemMetrics(places);
  write('proc/stat', 'cpu  150 0 125 775 150 0 0 0 30 0\n');
  expect(measure()).toEqual({
    load15: 1.35,
    cpu_usage: 37.5,
    mem_available: 524_288,
    disk_free_root: expect.any(Number),
    temperature: 51.75,
    uptime: 3600.52,
  });
});

test('what a machine does not have is left out', () => {
  const { write, places } = createPlaces();
  write('proc/loadavg', 'nonsense');
  expect(createSystemMetrics({ ...places, root: join(places.proc, 'none') })()).toEqual({});
});

test('the data partition counts where it is one', () => {
  const { places } = createPlaces();
  // Another file system than that of `/` on any Linux.
  expect(createSystemMetrics({ ...places, data: '/dev' })()).toHaveProperty('disk_free_data');
  expect(createSystemMetrics({ ...places, data: '/' })()).not.toHaveProperty('disk_free_data');
});

test('this machine has its usual figures', () => {
  const measured = createSystemMetrics(metricPlaces)();
  expect(measured.mem_available).toBeGreaterThan(1e6);
  expect(measured.uptime).toBeGreaterThan(0);
});
