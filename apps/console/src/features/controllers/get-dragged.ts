import type { Controller } from '@pult/contract';
import type { Dragged } from '../groups/index.ts';
import type { ControllerSelection } from './use-selection.ts';

/** What a drag of this row takes along: all that is selected when the row is, else the row alone. */
export function getDragged(
  { serialNumber, group }: Controller,
  { rows, isMatching, chosen, count }: ControllerSelection,
  shown: readonly Controller[],
): Dragged {
  if (!rows.includes(serialNumber)) {
    const from = group?.id ?? null;
    return { kind: 'controllers', chosen: { controllers: [serialNumber] }, count: 1, from };
  }
  const selected = new Set(rows);
  const groups = new Set(
    shown.filter((each) => selected.has(each.serialNumber)).map((each) => each.group?.id ?? null),
  );
  const [only] = groups;
  return { kind: 'controllers', chosen, count, from: isMatching || groups.size > 1 ? undefined : only };
}
