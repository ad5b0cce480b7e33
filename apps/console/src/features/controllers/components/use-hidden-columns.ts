import { useState } from 'react';
import { readPreference, writePreference } from '../../../shared/preferences/storage.ts';
import { type ColumnKey, optionalColumns } from '../fields.tsx';

const storageName = 'controllers.hiddenColumns';

function read(): ColumnKey[] {
  const stored = (readPreference(storageName) ?? '').split(',');
  return optionalColumns.map(({ name }) => name).filter((name) => stored.includes(name));
}

/** The columns a person does not want to see, on this browser: a taste, not part of a shared link. */
export function useHiddenColumns() {
  const [hidden, setHidden] = useState(read);
  const toggle = (key: ColumnKey) => {
    const next = hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key];
    writePreference(storageName, next.join(','));
    setHidden(next);
  };
  return { hidden, toggle };
}
