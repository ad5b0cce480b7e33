import { setImmediate as nextTurn } from 'node:timers/promises';
import { Script } from 'node:vm';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { describe, expect, test } from 'vitest';
import { type Reader, readers } from './foreign-text-readers.fixture.ts';
import { listTextSchemas } from './list-schemas.fixture.ts';
import { listPatterns, type Pattern, readProductSources } from './regular-expressions.ts';

// Texts on which a pattern or a reader may take long: what it matches or may look for, over and over, behind what leads there.

const printable = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code));
const candidates = ['a', 'A', '0', ' ', ...printable, '\u202a', '\ud800', 'я'];
/** Neither matches most of what stands before. */
const ends = ['\n!\0', ''];

/** A text in parts, the middle one not yet repeated. */
interface Attack {
  before: string;
  repeated: string;
  end: string;
}

function listAttacks({ source, flags }: Pattern): Attack[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const attacks = new Map<string, Attack>();
  const add = (node: AST.Quantifier | AST.Alternative, repeated: string) => {
    if (repeated === '') return;
    for (const before of new Set(['', readBefore(node, flags)])) {
      for (const end of ends) {
        attacks.set(JSON.stringify([before, repeated, end]), { before, repeated, end });
      }
    }
  };
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => add(node, createMatch(node.element, flags)),
    onAlternativeEnter(node) {
      let repeated = '';
      for (const element of node.elements) {
        repeated += createMatch(element, flags);
        add(node, repeated);
      }
    },
  });
  return [...attacks.values()];
}

/** What matches all that stands before a part, at its place in the whole. */
function readBefore(node: AST.Node, flags: string): string {
  let text = '';
  for (let inner: AST.Node = node; inner.parent; inner = inner.parent) {
    if (inner.parent.type !== 'Alternative') continue;
    const elements: readonly AST.Node[] = inner.parent.elements;
    const before = elements.slice(0, elements.indexOf(inner));
    text = before.map((element) => createMatch(element, flags)).join('') + text;
  }
  return text;
}

/** A short text that this part of a pattern matches. */
function createMatch(node: AST.Node | undefined, flags: string): string {
  switch (node?.type) {
    case 'Alternative':
      return node.elements.map((element) => createMatch(element, flags)).join('');
    case 'Group':
    case 'CapturingGroup':
      return createMatch(node.alternatives[0], flags);
    case 'Quantifier':
      return createMatch(node.element, flags).repeat(Math.max(node.min, 1));
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet': {
      const one = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ''));
      return candidates.find((candidate) => one.test(candidate)) ?? '';
    }
    default:
      return '';
  }
}

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
/** An address whose domain has marks, which UTS 46 puts in order one by one. */
const marks = { beginning: 'a@a', unit: '\u0300\u0323' };

/** A text of at most this length. */
type ForeignText = (length: number) => string;

function listForeignTexts(begins: readonly string[]): ForeignText[] {
  const repeated = begins.flatMap((beginning) => units.map((unit) => ({ beginning, unit })));
  return [...repeated, marks].flatMap(({ beginning, unit }) =>
    ends.map((end) => (length: number) => {
      const room = length - beginning.length - end.length;
      return beginning + unit.repeat(Math.floor(room / unit.length)) + end;
    }),
  );
}

const wholeLength = 100_000;
/** Of the processor's time; what takes less is not looked at. */
const shortMs = 200;
/** Of the clock's, on a busy machine: what takes longer does not end. */
const endlessMs = 20_000;
const script = new Script('globalThis.hostileTrial()');

/** The processor's milliseconds of a trial, which is ended from outside where it does not end. */
async function measure(trial: () => unknown, timeout = endlessMs): Promise<number> {
  const started = process.cpuUsage();
  let answer: unknown;
  Object.assign(globalThis, { hostileTrial: trial });
  try {
    answer = script.runInThisContext({ timeout });
    await answer;
  } catch (error) {
    // Any other has refused the text, which is one way of having read it.
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return Number.POSITIVE_INFINITY;
  }
  return process.cpuUsage(started).user / 1000;
}

/**
 * Milliseconds that a reader takes for a text where its time grows faster than the text: ten times the text may take ten
 * times as long, not a hundred. Undefined for any other.
 */
async function findSlowness(
  read: Reader['read'],
  create: ForeignText,
  length: number,
): Promise<number | undefined> {
  const whole = create(length);
  const ms = await measure(() => read(whole));
  if (ms <= shortMs) return undefined;
  const part = create(length / 10);
  return ms > 30 * (await measure(() => read(part))) ? ms : undefined;
}

/**
 * The texts on which a pattern takes long. `longestMs`: of the processor's time, not of the clock's, and a thousand times
 * what is needed where it grows with the text.
 */
async function tryPattern(
  { source, flags }: Pattern,
  { length = wholeLength, longestMs = 1000 } = {},
): Promise<(Attack & { ms: number })[]> {
  const pattern = new RegExp(source, flags);
  const slow: (Attack & { ms: number })[] = [];
  for (const { before, repeated, end } of listAttacks({ source, flags })) {
    const text = before + repeated.repeat(Math.ceil(length / repeated.length)) + end;
    const ms = await measure(() => (pattern.global ? text.replace(pattern, '') : pattern.test(text)));
    if (ms > longestMs) slow.push({ before, repeated, end, ms });
  }
  return slow;
}

function rereadBefore(text: string): void {
  for (let at = 0; at < text.length; at += 1) text.lastIndexOf('!', at);
}

describe('foreign texts', () => {
  test.each([
    ['its characters', (text: string) => void [...text], false],
    ['all before each of its characters', rereadBefore, true],
  ])('foreign texts show whether a reader that looks at %s takes long', async (_, read, isSlow) => {
    const ms = await findSlowness(read, (length) => ' '.repeat(length), 50_000);
    expect(ms !== undefined).toBe(isSlow);
  });

  test('foreign texts of 100 kB are read at once by every reader and every schema of the product', async () => {
    const schemas = [...listTextSchemas()].map(
      ([schema, name]): Reader => ({ name, read: schema.safeParse }),
    );
    const all = [...readers, ...schemas];
    const slow: unknown[] = [];
    for (const { name, read, begins = [''], maxLength = wholeLength } of all) {
      await nextTurn();
      for (const create of listForeignTexts(begins)) {
        const ms = await findSlowness(read, create, Math.min(maxLength, wholeLength));
        if (ms !== undefined) slow.push({ name, text: create(40), ms });
      }
    }
    expect(slow).toEqual([]);
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['selector', 'login.body.username', 'telemetryEntrySchema.options.0.value']),
    );
  }, 180_000);
});

describe('hostile texts', () => {
  test.each([/<!--.*-->/s, /^(?:ab)*(?:ab)*$/])('hostile texts show that %s takes long', async (pattern) => {
    expect((await tryPattern(pattern, { length: 40_000, longestMs: 20 })).length).toBeGreaterThan(0);
  });

  test('hostile texts show that what has no end takes long', async () => {
    expect(await measure(() => /^(?:a+)+$/.test(`${'a'.repeat(50)}!`), 200)).toBe(Number.POSITIVE_INFINITY);
  });

  test('hostile texts of 100 kB are read at once by every regular expression of the product', async () => {
    const slow: unknown[] = [];
    let tried = '';
    for (const product of await readProductSources()) {
      for (const { line, source = '', flags } of listPatterns(product)) {
        tried = `${product.path}:${line}`;
        await nextTurn();
        for (const attack of await tryPattern({ source, flags })) slow.push({ tried, attack });
      }
    }
    expect(slow).toEqual([]);
    expect(tried).toMatch(/^packages\//);
  }, 180_000);
});
