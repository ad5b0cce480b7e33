import { expect, it } from 'vitest';
import { findControls, type MqttDevice } from './find-controls.ts';

const control = (id: string, title: string, value: string | null, units: string | null = null) => ({
  id,
  title,
  type: null,
  value,
  units,
  updatedAt: null,
});
const devices: MqttDevice[] = [
  { id: 'wb-msw-v3_12', title: 'Датчик', controls: [control('Temperature', 'Температура', '21.5', '°C')] },
  { id: 'relay', title: 'Pump relay', controls: [control('K1', 'K1', '1'), control('K2', 'K2', null)] },
];

it.each([
  ['', ['Temperature', 'K1', 'K2']],
  ['  ', ['Temperature', 'K1', 'K2']],
  ['ТЕМПЕР', ['Temperature']],
  ['relay k2', ['K2']],
  ['/devices/relay/controls/K1', ['K1']],
  ['21.5 °c', ['Temperature']],
  ['pump', ['K1', 'K2']],
  ['.*', []],
])('finds %j in titles, topics, values and units', (text, ids) => {
  const found = findControls(devices, text);
  expect(found.flatMap(({ controls }) => controls.map(({ id }) => id))).toEqual(ids);
  expect(found.every(({ controls }) => controls.length > 0)).toBe(true);
});
