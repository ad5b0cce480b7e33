import ts from 'typescript';
import type { Source } from './sources.ts';

export interface DeclaredTest {
  name: string;
  isSkipped: boolean;
  isOnly: boolean;
  /** The lines of the specification that it says it shows, by `// spec: 2.07, 7.03` right above it. */
  shows: string[];
}

const functions = new Set(['it', 'test']);
const groups = new Set(['describe', 'suite']);

/**
 * The tests that a file declares. The name is the title as written, placeholders of `each` and `${}` included; the titles
 * of the groups around it are not part of it.
 */
export function listTests({ path, text }: Source): DeclaredTest[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: DeclaredTest[] = [];
  const visit = (node: ts.Node, outer: Pick<DeclaredTest, 'isSkipped' | 'isOnly'>) => {
    const call = ts.isCallExpression(node) ? readCall(source, node) : undefined;
    const isSkipped =
      outer.isSkipped ||
      call?.modifiers.some((name) => ['skip', 'todo', 'fixme', 'fails'].includes(name)) === true;
    const isOnly = outer.isOnly || call?.modifiers.includes('only') === true;
    const isGroup = call && (groups.has(call.name) || call.modifiers.includes('describe'));
    if (call && !isGroup && !call.modifiers.includes('step'))
      found.push({ name: call.title, isSkipped, isOnly, shows: readShown(text, node) });
    const inner = isGroup ? { isSkipped, isOnly } : outer;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, { isSkipped: false, isOnly: false });
  return found;
}

function readShown(text: string, node: ts.Node): string[] {
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  return comments.flatMap(({ pos, end }) => {
    const [, ids] = /^\/\/ spec: (.*)/.exec(text.slice(pos, end)) ?? [];
    return ids?.split(', ') ?? [];
  });
}

/** `test.skip('title', …)`, `it.each(table)('title', …)` and the like; undefined for any other call. */
function readCall(source: ts.SourceFile, node: ts.CallExpression) {
  const [title] = node.arguments;
  if (!title) return undefined;
  const isText = ts.isStringLiteralLike(title);
  if (!isText && !ts.isTemplateExpression(title)) return undefined;
  const modifiers: string[] = [];
  let callee: ts.Expression = node.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(callee)) {
      modifiers.push(callee.name.text);
      callee = callee.expression;
    } else if (ts.isCallExpression(callee)) callee = callee.expression;
    else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag;
    else break;
  }
  if (!ts.isIdentifier(callee) || !(functions.has(callee.text) || groups.has(callee.text))) return undefined;
  return { name: callee.text, modifiers, title: isText ? title.text : title.getText(source).slice(1, -1) };
}
