const functions = new Set(['it', 'test']);
const groups = new Set(['describe', 'suite']);

/**
 * The tests that a file declares, as `{ name, isSkipped, isOnly }`. The name is the title as written, placeholders of
 * `each` and `${}` included; the titles of the groups around it are not part of it.
 */
export async function listTests(path, text) {
  const { default: ts } = await import('typescript');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, outer) => {
    const call = ts.isCallExpression(node) ? readCall(ts, source, node) : undefined;
    if (!call) return ts.forEachChild(node, (child) => visit(child, outer));
    const isSkipped =
      outer.isSkipped || call.modifiers.some((name) => ['skip', 'todo', 'fixme', 'fails'].includes(name));
    const isOnly = outer.isOnly || call.modifiers.includes('only');
    const isGroup = groups.has(call.name) || call.modifiers.includes('describe');
    if (isGroup) return ts.forEachChild(node, (child) => visit(child, { isSkipped, isOnly }));
    if (!call.modifiers.includes('step')) found.push({ name: call.title, isSkipped, isOnly });
    return ts.forEachChild(node, (child) => visit(child, outer));
  };
  visit(source, { isSkipped: false, isOnly: false });
  return found;
}

/** `test.skip('title', …)`, `it.each(table)('title', …)` and the like; undefined for any other call. */
function readCall(ts, source, node) {
  const [title] = node.arguments;
  if (!title) return undefined;
  const isText = ts.isStringLiteralLike(title);
  if (!isText && !ts.isTemplateExpression(title)) return undefined;
  const modifiers = [];
  let callee = node.expression;
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
