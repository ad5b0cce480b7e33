import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A column as its type in `schema.ts` has it, or as the database has it. */
export interface Column {
  /** What a query reads: `string`, `number`, `boolean`, `Date`, `Buffer`, `string[]` or `json`. */
  type: string;
  isNullable: boolean;
}

/** Columns by `table.column`. */
export type Columns = ReadonlyMap<string, Column>;

const path = fileURLToPath(new URL('schema.ts', import.meta.url));

/** The columns of `DatabaseSchema`, as the compiler understands their types for reading. */
export function readDeclaredColumns(): Columns {
  const program = ts.createProgram([path], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const schema = source?.statements.find(
    (node): node is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(node) && node.name.text === 'DatabaseSchema',
  );
  if (!schema) throw new Error('schema.ts declares no DatabaseSchema.');
  const typeOf = (symbol: ts.Symbol) => checker.getTypeOfSymbolAtLocation(symbol, schema);
  const columns = new Map<string, Column>();
  for (const table of checker.getTypeAtLocation(schema).getProperties()) {
    for (const column of typeOf(table).getProperties()) {
      columns.set(`${table.name}.${column.name}`, describe(checker, readTypes(typeOf(column))));
    }
  }
  return columns;

  /** What a query reads: of each member of a union that is a `ColumnType` of Kysely the type it selects. */
  function readTypes(type: ts.Type): ts.Type[] {
    if (type.isUnion()) return type.types.flatMap(readTypes);
    const select = type.getProperty('__select__');
    return select ? readTypes(typeOf(select)) : [type];
  }
}

function describe(checker: ts.TypeChecker, members: readonly ts.Type[]): Column {
  const known = members.filter(({ flags }) => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0);
  const kinds = [...new Set(known.map((member) => nameOf(checker, member)))].sort().join(' | ');
  // The driver reads the time `infinity` as a number.
  return { type: kinds === 'Date | number' ? 'Date' : kinds, isNullable: known.length < members.length };
}

function nameOf(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.flags & ts.TypeFlags.StringLike) return 'string';
  if (type.flags & ts.TypeFlags.NumberLike) return 'number';
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  const name = type.getSymbol()?.name;
  if (name === 'Date' || name === 'Buffer') return name;
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference); // arrays are references
    return element && element.flags & ts.TypeFlags.StringLike ? 'string[]' : 'json';
  }
  return 'json';
}
