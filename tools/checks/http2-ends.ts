/**
 * No code of ours ends a session of HTTP/2: nghttp2 aborts the whole process where one is ended while a malformed frame waits
 * behind in the same read (ADR 26). A session ends with the socket under it. Tests may, in processes of their own.
 */

import ts from 'typescript';
import type { Check } from '../check.ts';
import { readSources, type Source } from './sources.ts';

const module = 'node:http2';
/** The only place that speaks HTTP/2 as a server. */
const folder = 'apps/server/src/platform/http/http2/';
const isTest = (path: string) => /\.(test|spec|fixture)\.tsx?$|\/testing\//.test(path);

/** What is wrong in a file of the product, one text for each call. */
export function findSessionEnds({ path, text }: Source): string[] {
  if (isTest(path) || !/(from|import|import\(|require\()\s*['"](node:)?http2['"]/.test(text)) return [];
  if (!path.startsWith(folder))
    return [`${path}: ${module} is for ${folder} alone, behind its guard of frames.`];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isSessionEnd(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      problems.push(`${path}:${line + 1}: a session ends with its socket, and by no ${node.name.text}().`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/** `session.destroy`, `this.#session?.close`, `stream.session.destroy`, called or handed on. */
function isSessionEnd(node: ts.Node): node is ts.PropertyAccessExpression {
  if (!ts.isPropertyAccessExpression(node) || !/^(destroy|close)$/.test(node.name.text)) return false;
  const of = node.expression;
  const name = ts.isPropertyAccessExpression(of) ? of.name : of;
  return (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && /session$/i.test(name.text);
}

export const http2Ends: Check = {
  name: 'ends of HTTP/2',
  async run() {
    const sources = await readSources(['apps/*.ts', 'packages/*.ts']);
    return sources.flatMap(findSessionEnds);
  },
};
