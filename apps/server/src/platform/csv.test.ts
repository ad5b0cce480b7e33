import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type CsvReader, createCsv } from './csv.ts';

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
  ['pump\r=1', '"pump\r\'=1"'],
  ['pump;\t=1', "pump;'\t=1"],
])('makes a text of the formula in %j', async (cell, expected) => {
  expect(await format(cell)).toBe(expected);
});

it.each(['SN-1', 'a=b', 'Pump 1 (50+5)', 'role: admin; count: 5', 'pump;\tcold', 'o@example.com'])(
  'leaves %j',
  async (cell) => {
    expect(await format(cell)).toBe(cell);
  },
);

describe('a file for a spreadsheet', () => {
  async function write(reader: CsvReader): Promise<string> {
    async function* parts() {
      yield [new Date('2026-03-28T22:30:05.250Z')];
    }
    const cells = (at: Date) => [at, 55.7558, -12, 'a;b', 'c,d', '=1+1', null];
    return text(createCsv(['Time (UTC)', 'Latitude'], parts(), cells, reader));
  }

  it('a file for a Russian spreadsheet has its columns, numbers and times', async () => {
    expect(await write({ locale: 'ru', timeZone: 'Europe/Moscow' })).toBe(
      'Time (Europe/Moscow);Latitude\r\n29.03.2026 01:30:05;55,7558;-12;"a;b";c,d;\'=1+1;\r\n',
    );
  });

  it('a file for a Russian spreadsheet has no formula where another system parts its lines by commas', async () => {
    async function* parts() {
      yield ["pump,=cmd|' /C calc'!A0,x", 'pump, +1', '55,7'];
    }
    const reader: CsvReader = { locale: 'ru', timeZone: 'Europe/Moscow' };
    expect(await text(createCsv(['Name'], parts(), (cell) => [cell], reader))).toBe(
      "Name\r\npump,'=cmd|' /C calc'!A0,x\r\npump, '+1\r\n55,7\r\n",
    );
  });

  it('a file for an English spreadsheet has its columns, numbers and times', async () => {
    expect(await write({ locale: 'en', timeZone: 'Asia/Kolkata' })).toBe(
      'Time (Asia/Kolkata),Latitude\r\n2026-03-29 04:00:05,55.7558,-12,a;b,"c,d",\'=1+1,\r\n',
    );
  });

  it('a file for no spreadsheet is RFC 4180 with times in UTC, in whatever language', async () => {
    expect(await write({ locale: 'ru', timeZone: undefined })).toBe(
      'Time (UTC),Latitude\r\n2026-03-28T22:30:05.250Z,55.7558,-12,a;b,"c,d",\'=1+1,\r\n',
    );
  });
});
