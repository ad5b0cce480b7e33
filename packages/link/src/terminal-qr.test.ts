import { create } from 'qrcode';
import { expect, it } from 'vitest';
import { canShowQrCodes, drawTerminalQr } from './terminal-qr.ts';

const link = 'https://pult.example.com/activate/?token=ABCD-EFGH-IJKL-MNOP-QRST-UVWX';
const expected = create(link, { errorCorrectionLevel: 'L' }).modules;

/** What a scanner sees: dark is true, in rows of modules. */
function readModules(lines: readonly string[]): boolean[][] {
  return lines.flatMap((line) => {
    const [before, drawn = '', after] = line.split(/([ ▄▀█]+)/);
    expect([before, after]).toEqual(['\u001b[30;47m', '\u001b[0m']);
    return ['▀█', '▄█'].map((dark) => [...drawn].map((block) => dark.includes(block)));
  });
}

it('a link is drawn as its QR code, dark on light, with a margin', () => {
  const rows = readModules(drawTerminalQr(link, 80));
  expect(rows.length).toBeGreaterThanOrEqual(expected.size + 4);
  for (const [index, row] of rows.entries()) {
    expect(row).toEqual(
      Array.from({ length: expected.size + 4 }, (_, column) => {
        const [y, x] = [index - 2, column - 2];
        const isInside = Math.min(x, y) >= 0 && Math.max(x, y) < expected.size;
        return isInside && expected.get(y, x) === 1;
      }),
    );
  }
});

it('a link and its QR code fit into 24 lines of 80 columns', () => {
  expect(drawTerminalQr(link, 80).length).toBeLessThan(21);
});

it('a QR code that is wider than the terminal is not drawn', () => {
  expect(drawTerminalQr(link, expected.size + 4)).not.toEqual([]);
  expect(drawTerminalQr(link, expected.size + 3)).toEqual([]);
  expect(drawTerminalQr(link, 0)).toEqual([]);
});

it.each([
  [{ LANG: 'ru_RU.UTF-8', TERM: 'xterm' }, true],
  [{ LANG: 'C.utf8' }, true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
  [{ LANG: 'ru_RU.KOI8-R', LC_ALL: '', LC_CTYPE: 'ru_RU.UTF-8' }, true],
  [{ LANG: 'C.UTF-8', TERM: 'dumb' }, false],
  [{}, false],
])('a terminal of %j shows a QR code: %s', (variables, expectedAnswer) => {
  expect(canShowQrCodes(variables)).toBe(expectedAnswer);
});
