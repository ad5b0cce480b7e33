import type { Controller } from '@pult/contract';
import { useState } from 'react';
import type { Filters } from '../../shared/api/query-keys.ts';
import type { Chosen, Dragged } from '../groups/index.ts';

interface View {
  /** What the list shows: another page or order shows other rows. */
  query: Filters;
  /** What of it decides which controllers match. */
  filter: Filters;
  /** Serial numbers. */
  shown: readonly string[];
  /** How many match. */
  total: number;
}

type Selected =
  | { kind: 'rows'; view: string; serialNumbers: readonly string[] }
  | { kind: 'matching'; filter: string };

/**
 * The controllers that are chosen: of the rows shown, or all that match the filters. Rows of another view are dropped
 * and a row that is no longer shown is not acted on, so that nothing is moved that one does not see; all that match
 * are dropped with their filters.
 */
export function useSelection({ query, filter, shown, total }: View) {
  const view = JSON.stringify(query);
  const matching = JSON.stringify(filter);
  const [selected, setSelected] = useState<Selected>({ kind: 'rows', view, serialNumbers: [] });
  const isMatching = selected.kind === 'matching' && selected.filter === matching;
  const kept = new Set(selected.kind === 'rows' && selected.view === view ? selected.serialNumbers : []);
  const rows = isMatching
    ? shown
    : kept.size > 0
      ? shown.filter((serialNumber) => kept.has(serialNumber))
      : [];
  const select = (serialNumbers: readonly string[]) => setSelected({ kind: 'rows', view, serialNumbers });
  const chosen: Chosen = isMatching ? { filter } : { controllers: [...rows] };
  return {
    /** Serial numbers of the selected rows. */
    rows,
    /** Not only the rows: all that match. */
    isMatching,
    /** All of the selection, as a move takes it. */
    chosen,
    count: isMatching ? total : rows.length,
    select,
    selectMatching: () => setSelected({ kind: 'matching', filter: matching }),
    /** Not what has been selected instead meanwhile. */
    clear: () => setSelected((now) => (now === selected ? { kind: 'rows', view, serialNumbers: [] } : now)),
  };
}
export type ControllerSelection = ReturnType<typeof useSelection>;

/** What a drag of this row takes along: all that is selected when the row is, else the row alone. */
export function getDragged(
  { serialNumber, group, userRole }: Controller,
  { rows, isMatching, chosen, count }: ControllerSelection,
  shown: readonly Controller[],
): Dragged {
  if (!rows.includes(serialNumber)) {
    const from = group?.id ?? null;
    const roles = { roles: [userRole], isMatching: false };
    return { kind: 'controllers', chosen: { controllers: [serialNumber] }, count: 1, roles, from };
  }
  const names = new Set(rows);
  const selected = shown.filter((each) => names.has(each.serialNumber));
  const roles = { roles: selected.map((each) => each.userRole), isMatching };
  const groups = new Set(selected.map((each) => each.group?.id ?? null));
  const [only] = groups;
  return {
    kind: 'controllers',
    chosen,
    count,
    roles,
    from: isMatching || groups.size > 1 ? undefined : only,
  };
}
