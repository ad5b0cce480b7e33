/**
 * Servers of TLS are made in one place each: Node's plain one tells of a handshake that takes too long or fails, and leaves the
 * connection open. Whoever only asks `instanceof Server` makes none.
 */

import ts from 'typescript';
import type { Check } from '../check.ts';
import { readSources, type Source } from './sources.ts';

/** Who may make them, by module. */
const makers: Readonly<Record<string, readonly string[]>> = {
  tls: ['apps/server/src/platform/stranger-listener.ts'],
  https: [
    'apps/server/src/platform/http/host-server.ts',
    'apps/server/src/platform/http/certificate-server.ts',
  ],
};
const servers = new Set(['createServer', 'Server']);
const isTest = (path: string) => /\.(test|spec|fixture)\.tsx?$|\/testing\/|^packages\/testkit\//.test(path);

/** What is wrong in a file of the product, one text for each place. */
export function findTlsServers({ path, text }: Source): string[] {
  if (isTest(path) || !/['"`](node:)?(tls|https)['"`]/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  /** What `Server` is called here, by module. */
  const classes = new Map<string, string>();

  function refuse(node: ts.Node, module: string): void {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    problems.push(
      `${path}:${line + 1}: servers of node:${module} are for ${makers[module]?.join(' and ')} alone.`,
    );
  }

  function readImport({ importClause: clause, moduleSpecifier }: ts.ImportDeclaration): void {
    const module = moduleOf(moduleSpecifier);
    if (!module || makers[module]?.includes(path) || !clause || clause.isTypeOnly) return;
    const { name, namedBindings: bindings } = clause;
    // All of the module, of which nobody knows what is used.
    if (name || (bindings && ts.isNamespaceImport(bindings))) refuse(clause, module);
    if (!bindings || !ts.isNamedImports(bindings)) return;
    for (const each of bindings.elements) {
      const imported = (each.propertyName ?? each.name).text;
      if (each.isTypeOnly) continue;
      if (imported === 'Server') classes.set(each.name.text, module);
      else if (servers.has(imported) || imported === 'default') refuse(each, module);
    }
  }

  function readExport({ exportClause: clause, moduleSpecifier, isTypeOnly }: ts.ExportDeclaration): void {
    const module = moduleSpecifier && moduleOf(moduleSpecifier);
    if (!module || makers[module]?.includes(path) || isTypeOnly) return;
    const names = clause && ts.isNamedExports(clause) ? clause.elements : [];
    const isServer = names.some(
      (each) => !each.isTypeOnly && servers.has((each.propertyName ?? each.name).text),
    );
    if (isServer || names.length === 0) refuse(clause ?? moduleSpecifier, module);
  }

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      readImport(node);
      return;
    }
    if (ts.isExportDeclaration(node)) readExport(node);
    const module = moduleOf(findLoaded(node));
    if (module && !makers[module]?.includes(path)) refuse(node, module);
    const ofClass = ts.isIdentifier(node) && !isNameOnly(node) ? classes.get(node.text) : undefined;
    if (ofClass) refuse(node, ofClass);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/** What is loaded by `import()`, `require()`, `process.getBuiltinModule()` or `import tls = require()`. */
function findLoaded(node: ts.Node): ts.Node | undefined {
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression: called } = node;
  const name = ts.isPropertyAccessExpression(called) ? called.name : called;
  const isLoad =
    name.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(name) && /^(require|getBuiltinModule)$/.test(name.text));
  return isLoad ? node.arguments[0] : undefined;
}

function moduleOf(node: ts.Node | undefined): string | undefined {
  if (!node || !ts.isStringLiteralLike(node)) return undefined;
  return /^(?:node:)?(tls|https)$/.exec(node.text)?.[1];
}

/** A type, the right side of `instanceof`, or a property that has the same name. */
function isNameOnly(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword && parent.right === node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return ts.isTypeNode(parent) && !ts.isExpressionWithTypeArguments(parent);
}

export const tlsServers: Check = {
  name: 'servers of TLS',
  async run() {
    const sources = await readSources(['apps/*.ts', 'packages/*.ts']);
    return sources.flatMap(findTlsServers);
  },
};
