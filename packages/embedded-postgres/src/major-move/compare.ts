import { EmbeddedDatabaseError } from '../errors.ts';
import type { Relation, Table } from './catalog.ts';

const nameOf = ({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`;

function subtract<Item extends { schema: string; name: string }>(
  from: readonly Item[],
  what: readonly { schema: string; name: string }[],
): Item[] {
  const names = new Set(what.map(nameOf));
  return from.filter((item) => !names.has(nameOf(item)));
}

/** Throws where the old database has something that the new one would lack: nothing is left behind in silence. */
export function assertSameHolders(
  old: readonly Relation[],
  made: readonly Relation[],
  librarySchema: string,
): void {
  const [foreign] = subtract(old, made);
  if (foreign) {
    throw new EmbeddedDatabaseError(
      `The database cannot be moved: it has the ${foreign.kind} ${nameOf(foreign)}, which is not of this Pult. ` +
        'Start the version of Pult that made the database, remove it there or keep it elsewhere, and start this one again.',
    );
  }
  const [missing] = subtract(made, old).filter(({ schema }) => schema !== librarySchema);
  if (missing) {
    throw new EmbeddedDatabaseError(
      `The database cannot be moved: it lacks the ${missing.kind} ${nameOf(missing)}. Restore a backup of it.`,
    );
  }
}

/** Indexes and functions that somebody has added: without them all rows are there. */
export const listLeftBehind = (old: readonly Relation[], made: readonly Relation[], librarySchema: string) =>
  subtract(old, made)
    .filter(({ schema }) => schema !== librarySchema)
    .map((relation) => `${relation.kind} ${nameOf(relation)}`);

/**
 * The tables as they are copied: the columns of the old one, each of which the new one has, of the same type. Those of `librarySchema`
 * may have got further ones, with defaults, in a newer version of the library.
 */
export function planTables(old: readonly Table[], made: readonly Table[], librarySchema: string): Table[] {
  const byName = new Map(made.map((table) => [nameOf(table), table]));
  for (const table of old) {
    const columns = new Map(byName.get(nameOf(table))?.columns.map(({ name, type }) => [name, type]));
    const foreign = table.columns.find(({ name, type }) => columns.get(name) !== type);
    const isShort = table.schema !== librarySchema && columns.size !== table.columns.length;
    if (!foreign && !isShort) continue;
    const detail = foreign ? `the column ${foreign.name} (${foreign.type})` : 'fewer columns';
    throw new EmbeddedDatabaseError(
      `The database cannot be moved: its table ${nameOf(table)} has ${detail}, unlike that of this Pult.`,
    );
  }
  return [...old];
}
