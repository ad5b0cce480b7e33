import type { Group } from '@pult/contract';
import type { ChosenRoles } from '../../../shared/api/permissions.ts';
import type { Chosen } from '../use-bulk-move.ts';

/** What is dragged over the tree of groups. */
export type Dragged =
  | { kind: 'group'; group: Group }
  | {
      kind: 'controllers';
      chosen: Chosen;
      count: number;
      roles: ChosenRoles;
      /** The group that all of them are in, null when they are in none; undefined where it is not one or not known. */
      from: string | null | undefined;
    };

const key = 'pult';

export function writeDragged(dragged: Dragged): Record<string, unknown> {
  return { [key]: dragged };
}

/** Undefined for what was not written by `writeDragged`. */
export function readDragged(data: Readonly<Record<string, unknown>>): Dragged | undefined {
  return data[key] as Dragged | undefined; // only `writeDragged` uses the key
}
