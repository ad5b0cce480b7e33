import type { TreeRow } from './tree.ts';

/** What a key does to a tree, in the way of the ARIA authoring practices. */
export type KeyEffect =
  | { kind: 'focus'; index: number }
  | { kind: 'toggle'; id: string; isExpanded: boolean }
  | { kind: 'choose'; id: string };

/** `index`: of the row that has the focus. Undefined: the key means nothing here. */
export function readKey(key: string, rows: readonly TreeRow[], index: number): KeyEffect | undefined {
  const row = rows[index];
  if (!row) return undefined;
  const focus = (to: number): KeyEffect => ({
    kind: 'focus',
    index: Math.min(Math.max(to, 0), rows.length - 1),
  });
  switch (key) {
    case 'ArrowDown':
      return focus(index + 1);
    case 'ArrowUp':
      return focus(index - 1);
    case 'Home':
      return focus(0);
    case 'End':
      return focus(rows.length - 1);
    case 'ArrowRight':
      if (row.isExpanded === undefined) return undefined;
      return row.isExpanded ? focus(index + 1) : { kind: 'toggle', id: row.id, isExpanded: true };
    case 'ArrowLeft': {
      if (row.isExpanded) return { kind: 'toggle', id: row.id, isExpanded: false };
      const parent = rows.findIndex(({ id }) => id === row.parentId);
      return parent < 0 ? undefined : focus(parent);
    }
    case 'Enter':
    case ' ':
      return { kind: 'choose', id: row.id };
    default:
      return undefined;
  }
}
