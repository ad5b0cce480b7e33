/** Texts on which a reader may take long: what it may look for, over and over, behind what leads there. */

const units = [
  ...[
    ' ',
    '\n',
    '\r\n',
    '\0',
    'a',
    '0',
    '-',
    'a-',
    '.',
    'a.',
    '/',
    '../',
    ',',
    '127.0.0.1, ',
    ';',
    ';a=',
    '=',
    '+',
  ],
  ...['|', '\\', '\\"', '"', '(', '[', '{"a":', '%', '%41', ':', '@', 'я', '\ud800', '\n{}', '\na: '],
];
/** Neither matches most of what stands before. */
const ends = ['', '\n!\0'];
/** An address whose domain has marks, which UTS 46 puts in order one by one. */
const marks = { beginning: 'a@a', unit: '\u0300\u0323' };

/** A text of at most this length. */
export type ForeignText = (length: number) => string;

export function listForeignTexts(begins: readonly string[]): ForeignText[] {
  const repeated = begins.flatMap((beginning) => units.map((unit) => ({ beginning, unit })));
  return [...repeated, marks].flatMap(({ beginning, unit }) =>
    ends.map((end) => (length: number) => {
      const room = length - beginning.length - end.length;
      return beginning + unit.repeat(Math.floor(room / unit.length)) + end;
    }),
  );
}
