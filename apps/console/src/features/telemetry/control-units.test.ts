import { expect, it } from 'vitest';
import { writeUnits } from './control-units.ts';

it.each([
  ['temperature', 'deg C', 'en', '°C'],
  ['temperature', 'deg C', 'ru', '°C'],
  ['value', 'm^3/h', 'en', 'm³/h'],
  ['value', 'm^3/h', 'ru', 'м³/ч'],
  ['value', 'kWh', 'ru', 'кВт·ч'],
  ['resistance', 'Ohm', 'en', 'Ω'],
  ['rel_humidity', '%, RH', 'en', '%'],
  ['concentration', 'ppm', 'ru', 'ppm'],
  ['value', '<b>odd</b>', 'en', '<b>odd</b>'],
  ['value', 'constructor', 'en', 'constructor'],
] as const)('writes the units of a %s, %j, in %s as %j', (type, units, locale, text) => {
  expect(writeUnits({ type, units }, locale)).toBe(text);
});

it.each([
  ['temperature', '°C'],
  ['voltage', 'V'],
  ['value', undefined],
  ['__proto__', undefined],
  [null, undefined],
])('a control of type %j without units has %j', (type, text) => {
  expect(writeUnits({ type, units: null }, 'en')).toBe(text);
});
