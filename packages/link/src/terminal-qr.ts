import { create } from 'qrcode';

/** Light around the code, in modules: half of what ISO/IEC 18004 asks for, so that a link and its code fit into 24 lines. */
const margin = 2;

/** Dark on light whatever the terminal's own colours are: not every scanner reads a code whose colours are swapped. */
const [darkOnLight, ownColours] = ['\u001b[30;47m', '\u001b[0m'];

/** The half blocks by what is dark: nothing, the lower module, the upper one, both. */
const blocks = [' ', '▄', '▀', '█'] as const;

/** The variables of whoever sits at a terminal: LC_ALL, LC_CTYPE, LANG and TERM tell of it. */
export type TerminalVariables = Record<string, string | undefined>;

/** Whether it shows UTF-8 and colours. Of the three variables the first that is set decides (POSIX.1-2017, 8.2). */
export function canShowQrCodes({ LC_ALL, LC_CTYPE, LANG, TERM }: Readonly<TerminalVariables>): boolean {
  return TERM !== 'dumb' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

/** A text as a QR code in lines for a terminal, two modules a character; none where so many columns are too few. */
export function drawTerminalQr(text: string, columns: number): string[] {
  const { modules } = create(text, { errorCorrectionLevel: 'L' });
  const end = modules.size + margin;
  if (end + margin > columns) return [];
  const isDark = (row: number, column: number) =>
    Math.min(row, column) >= 0 && Math.max(row, column) < modules.size && modules.get(row, column) === 1;
  const lines: string[] = [];
  for (let row = -margin; row < end; row += 2) {
    let line = '';
    for (let column = -margin; column < end; column += 1) {
      line += blocks[(isDark(row, column) ? 2 : 0) + (isDark(row + 1, column) ? 1 : 0)];
    }
    lines.push(`${darkOnLight}${line}${ownColours}`);
  }
  return lines;
}
