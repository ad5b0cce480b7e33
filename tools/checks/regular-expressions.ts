/**
 * No regular expression of the product takes longer than its text is long: among two unbounded repetitions that can
 * match the same, or one that is begun anew at each place of a text, a hostile text of some kilobytes takes minutes.
 */

import { analyse } from 'scslre';
import ts from 'typescript';
import type { Check } from '../check.ts';
import { readSources, type Source } from './sources.ts';

export interface Pattern {
  source: string;
  flags: string;
}

/** One that is put together has its texts from constants of the same file; otherwise its `source` is undefined. */
interface FoundPattern {
  line: number;
  source: string | undefined;
  flags: string;
}

/** What of the apps and packages meets texts of others: not tests and what they run. */
const areTests = /\.(test|spec|fixture)\.tsx?$|\/testing\/|^packages\/testkit\//;

export async function readProductSources(): Promise<Source[]> {
  const sources = await readSources(['apps/*.ts', 'apps/*.tsx', 'apps/*.js', 'packages/*.ts']);
  return sources.filter(({ path }) => !areTests.test(path));
}

/** The regular expressions of a file. */
export function listPatterns({ path, text }: Source): FoundPattern[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const constants: Constants = new Map();
  const found: FoundPattern[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.name)) {
      constants.set(node.name.text, readText(node.initializer, constants));
    }
    const line = () => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ line: line(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(file) === 'RegExp'
    ) {
      const [source, flags] = node.arguments ?? [];
      found.push({
        line: line(),
        source: source && readText(source, constants),
        flags: (flags && readText(flags, constants)) ?? '',
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

type Constants = Map<string, string | undefined>;

/** The text of a literal, or of a template of constants; undefined for anything else. */
function readText(node: ts.Node, constants: Constants): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.flatMap(({ expression, literal }) => [
    readText(expression, constants),
    literal.text,
  ]);
  return parts.includes(undefined) ? undefined : node.head.text + parts.join('');
}

/** Why a regular expression may take long, or undefined. The analysis knows attacks that repeat one character. */
export function findSlowness({ source, flags }: Omit<FoundPattern, 'line'>): string | undefined {
  if (source === undefined) return 'put together of what is not known here: write it as a literal';
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (!report) return undefined;
  const part = ({ start, end }: { start: number; end: number }) => source.slice(start, end);
  const explain = () => {
    if (report.type === 'Trade')
      return `${part(report.startQuant)} and ${part(report.endQuant)} can match the same`;
    if (report.type === 'Self') return `${part(report.quant)} can match the same in several ways`;
    return `${part(report.quant)} is begun anew at each place of a text that it does not match`;
  };
  return `${explain()}: a text of its author’s choice takes very long`;
}

export const regularExpressions: Check = {
  name: 'regular expressions',
  async run() {
    const problems: string[] = [];
    for (const source of await readProductSources()) {
      for (const pattern of listPatterns(source)) {
        const slowness = findSlowness(pattern);
        if (slowness) problems.push(`${source.path}:${pattern.line}: ${slowness}.`);
      }
    }
    return problems;
  },
};
