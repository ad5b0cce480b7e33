import { useState } from 'react';

interface Selection {
  /** What was shown when it was made. */
  view: string;
  serialNumbers: readonly string[];
}

/**
 * The rows that are chosen among those shown. Another view starts with none, and a row that is no longer shown is not
 * acted on: nothing is moved that one does not see.
 */
export function useSelection(view: string, shown: readonly string[]) {
  const [selection, setSelection] = useState<Selection>({ view, serialNumbers: [] });
  const kept = new Set(selection.view === view ? selection.serialNumbers : []);
  return {
    selected: shown.filter((serialNumber) => kept.has(serialNumber)),
    select: (serialNumbers: readonly string[]) => setSelection({ view, serialNumbers }),
  };
}
