import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createCsv } from './csv.ts';

async function format(cell: string): Promise<string> {
  async function* parts() {
    yield [cell];
  }
  const file = await text(createCsv(['Name'], parts(), (item) => [item]));
  return file.split('\r\n').slice(1, -1).join('\r\n');
}

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1+1', "'＝1+1"],
  // Parted by semicolons, as a Russian Excel does, these begin a cell.
  ["pump;=cmd|' /C calc'!A0;x", "pump;'=cmd|' /C calc'!A0;x"],
  ['pump; +1', "pump; '+1"],
  ['pump\n-1', '"pump\n\'-1"'],
])('makes a text of the formula in %j', async (cell, expected) => {
  expect(await format(cell)).toBe(expected);
});

it.each(['SN-1', 'a=b', 'Pump 1 (50+5)', 'role: admin; count: 5', 'o@example.com'])(
  'leaves %j',
  async (cell) => {
    expect(await format(cell)).toBe(cell);
  },
);
