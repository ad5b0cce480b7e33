import { expect, test } from 'vitest';
import { formatCsv, formatTable } from './tables.ts';

const columns = ['serial', 'description'];

test('a table has its columns in line, a dash for nothing, and no character that steers the terminal', () => {
  const rows = [
    { serial: 'A1', description: 'Boiler\u001b]0;gone\u0007\nB2  online' },
    { serial: 'LONG-1', description: '' },
  ];
  expect(formatTable(columns, rows)).toBe(
    'SERIAL  DESCRIPTION\nA1      Boiler ]0;gone  B2  online\nLONG-1  -\n',
  );
  expect(formatTable(columns, [])).toBe('SERIAL  DESCRIPTION\n');
});

test('a file of comma-separated values quotes what has to be, and holds no formula', () => {
  const rows = [
    { serial: 'A1', description: 'one, "two"' },
    { serial: 'B2', description: '=cmd()' },
    { serial: 'C3', description: '\t@SUM(1)\u001b' },
  ];
  expect(formatCsv(columns, rows)).toBe(
    'serial,description\r\nA1,"one, ""two"""\r\nB2,\'=cmd()\r\nC3, \'@SUM(1) \r\n',
  );
});
