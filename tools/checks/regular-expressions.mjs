/**
 * No regular expression of the product takes longer than its text is long: among two unbounded repetitions that can
 * match the same, or one that is begun anew at each place of a text, a hostile text of some kilobytes takes minutes.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';
import { listSources } from './sources.mjs';

/** What of the apps and packages meets texts of others: not tests and what they run. */
const areTests = /\.(test|spec|fixture)\.tsx?$|\/testing\/|^packages\/testkit\//;

export async function listProductSources() {
  const paths = await listSources(['apps/*.ts', 'apps/*.tsx', 'apps/*.js', 'packages/*.ts']);
  return paths.filter((path) => !areTests.test(path));
}

/**
 * The regular expressions of a file, as `{ line, source, flags }`. One that is put together has its texts from constants
 * of the same file; otherwise its `source` is undefined.
 */
export async function listPatterns(path, text) {
  const { default: ts } = await import('typescript');
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const constants = new Map();
  const found = [];
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.name)) {
      constants.set(node.name.text, readText(ts, node.initializer, constants));
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
        source: source && readText(ts, source, constants),
        flags: (flags && readText(ts, flags, constants)) ?? '',
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The text of a literal, or of a template of constants; undefined for anything else. */
function readText(ts, node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.flatMap(({ expression, literal }) => [
    readText(ts, expression, constants),
    literal.text,
  ]);
  return parts.includes(undefined) ? undefined : node.head.text + parts.join('');
}

/** Why a regular expression may take long, or undefined. The analysis knows attacks that repeat one character. */
export async function findSlowness({ source, flags }) {
  if (source === undefined) return 'put together of what is not known here: write it as a literal';
  const { analyse } = await import('scslre');
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (!report) return undefined;
  const part = ({ start, end }) => source.slice(start, end);
  const describe = () => {
    if (report.type === 'Trade')
      return `${part(report.startQuant)} and ${part(report.endQuant)} can match the same`;
    if (report.type === 'Self') return `${part(report.quant)} can match the same in several ways`;
    return `${part(report.quant)} is begun anew at each place of a text that it does not match`;
  };
  return `${describe()}: a text of its author’s choice takes very long`;
}

export const regularExpressions = {
  name: 'regular expressions',
  async run() {
    const problems = [];
    for (const path of await listProductSources()) {
      for (const pattern of await listPatterns(path, readFileSync(join(root, path), 'utf8'))) {
        const slowness = await findSlowness(pattern);
        if (slowness) problems.push(`${path}:${pattern.line}: ${slowness}.`);
      }
    }
    return problems;
  },
};
