/**
 * Texts on which a regular expression may take long: what parts of it match, over and over, behind what leads there.
 * They know attacks that repeat several characters, which the analysis does not.
 */

import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import type { Pattern } from './regular-expressions.ts';

const printable = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code));
const candidates = ['a', 'A', '0', ' ', ...printable, '\u202a', '\ud800', 'я'];
/** Neither matches most of what stands before. */
const ends = ['\n!\0', ''];

/** A text in parts, the middle one not yet repeated. */
export interface Attack {
  before: string;
  repeated: string;
  end: string;
}

export function listAttacks({ source, flags }: Pattern): Attack[] {
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
