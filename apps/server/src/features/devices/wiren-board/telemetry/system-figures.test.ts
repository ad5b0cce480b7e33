import { expect, it } from 'vitest';
import { createSystemFigures } from './system-figures.ts';

function readAll(values: Readonly<Record<string, string>>) {
  const figures = createSystemFigures();
  for (const [topic, value] of Object.entries(values)) {
    const [device, control] = topic.split(': ');
    figures.take(`/devices/${device}/controls/${control}`, Buffer.from(value));
  }
  return figures.read();
}

it('figures of a controller come from the topics of its own programs, in our units', () => {
  expect(
    readAll({
      'metrics: load_average_15min': '0.35',
      'metrics: ram_available': '512',
      'metrics: dev_root_total_space': '2000',
      'metrics: dev_root_used_space': '1500',
      'metrics: data_total_space': '10000',
      'metrics: data_used_space': '10000',
      'hwmon: CPU Temperature': '61.5',
      'hwmon: Board Temperature': '40',
      'system: Current uptime': '3d18h3m',
    }),
  ).toEqual({
    load15: 0.35,
    mem_available: 536_870_912,
    disk_free_root: 524_288_000,
    disk_free_data: 0,
    temperature: 61.5,
    uptime: 324_180,
  });
});

it('a board without a sensor in its processor has the temperature of the board', () => {
  expect(readAll({ 'hwmon: Board Temperature': '-12.125' })).toEqual({ temperature: -12.125 });
});

it('what nobody tells, or nobody can read, is left out', () => {
  expect(readAll({})).toEqual({});
  expect(
    readAll({
      'metrics: load_average_15min': '1e300',
      'metrics: ram_available': 'many',
      'metrics: dev_root_total_space': '10',
      'metrics: dev_root_used_space': '20',
      'metrics: data_total_space': '10',
      'hwmon: CPU Temperature': '-273',
      'system: Current uptime': 'since Monday',
      'system: Current uptime/meta': '1d1h1m',
      'network: Current uptime': '1d1h1m',
    }),
  ).toEqual({});
});

it('a value that is taken away, or is no value, is forgotten', () => {
  const figures = createSystemFigures();
  const say = (value: string) => figures.take('/devices/metrics/controls/ram_available', Buffer.from(value));
  say('1');
  expect(figures.read()).toEqual({ mem_available: 1_048_576 });
  say('');
  expect(figures.read()).toEqual({});
  say('1');
  say('1'.repeat(1000));
  expect(figures.read()).toEqual({});
});
