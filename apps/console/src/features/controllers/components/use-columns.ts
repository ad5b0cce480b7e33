import { useState } from 'react';
import { readPreference, writePreference } from '../../../shared/preferences/storage.ts';
import { type ColumnKey, optionalColumns } from '../fields.tsx';

const storageName = 'controllers.hiddenColumns';
const automatic = 'auto';

function read(): ColumnKey[] | undefined {
  const stored = readPreference(storageName);
  if (stored === null || stored === automatic) return undefined;
  const names = stored.split(',');
  return optionalColumns.map(({ name }) => name).filter((name) => names.includes(name));
}

/** Those that the style of the table leaves out of a list of that many pixels; 0: not measured yet. */
function listWithoutRoom(width: number): ColumnKey[] {
  const leaves = (at: string | undefined) =>
    at !== undefined && width > 0 && width <= Number.parseInt(at, 10);
  return optionalColumns.filter(({ column }) => leaves(column.leavesAt)).map(({ name }) => name);
}

/**
 * The columns of the list, on this browser: a taste, not part of a shared link. Until somebody chooses, those are shown that
 * fit a list of `width` pixels; then those that were chosen, whether they fit or not.
 */
export function useColumns(width: number) {
  const [chosen, setChosen] = useState(read);
  const hidden = chosen ?? listWithoutRoom(width);
  const toggle = (key: ColumnKey) => {
    const next = hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key];
    writePreference(storageName, next.join(','));
    setChosen(next);
  };
  const reset = () => {
    writePreference(storageName, automatic);
    setChosen(undefined);
  };
  return { hidden, chosen, toggle, reset };
}
export type Columns = ReturnType<typeof useColumns>;
