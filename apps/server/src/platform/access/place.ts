import type { ErrorCode, Route } from '@pult/contract';
import { DomainError } from '../errors.ts';
import type { Part } from './roles.repository.ts';

/** Something of an organization at which a permission is asked for. */
export type Place =
  | { readonly kind: 'organization'; readonly id: string; readonly at: Part }
  /** By its serial number, or by the id of diagnostics of it. */
  | { readonly kind: 'controller' | 'diagnostic'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  /** What is left of a change of groups that may be undone: of its organization anything is enough to ask. */
  | { readonly kind: 'move' | 'deletedGroup'; readonly id: string };

const missing = {
  organization: 'organization_not_found',
  controller: 'controller_not_found',
  diagnostic: 'diagnostic_not_found',
  group: 'group_not_found',
  move: 'move_not_found',
  deletedGroup: 'group_not_found',
} as const satisfies Record<Place['kind'], ErrorCode>;

/** What is another’s is answered as what does not exist: nobody learns which ids there are. */
export function notFound({ kind, id }: Place): DomainError {
  return kind === 'controller'
    ? new DomainError(missing[kind], { serialNumber: id })
    : new DomainError(missing[kind]);
}

/** The parts of a request by whose names a row says what it is about; of each what its schema made of it. */
export interface PlaceInput {
  readonly params: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Whether what the call is about stands in its body, which nobody reads before it is known who they are. */
export function isInBody({ on }: Route): boolean {
  return typeof on === 'object' && on.organization.startsWith('body.');
}

/** Whether the place is but a filter: a foreign one has nothing to show, and says no more than that. */
export const isFilter = ({ on }: Route): boolean => on === 'list';

/** Whether the query says what the call is about. */
export const isInQuery = ({ on }: Route): boolean => typeof on === 'object' || on === 'list';

/** What the call is about; undefined where that is no place, or where its handler finds it. */
export function placeOf({ on }: Route, input: PlaceInput): Place | undefined {
  const read = (name: string) => {
    const [part = '', key = ''] = name.split('.');
    // The types of the contract name no others than these, and its schemas have made texts of them.
    return (input as unknown as Record<string, Record<string, string | null | undefined>>)[part]?.[key];
  };
  const idOf = (name: string) => read(name) ?? '';
  if (typeof on === 'object') {
    const id = idOf(on.organization);
    if (typeof on.at === 'string') return { kind: 'organization', id, at: on.at };
    const groupId = read(on.at.group);
    return { kind: 'organization', id, at: groupId ? { groupId } : 'root' };
  }
  switch (on) {
    case 'controller':
      return { kind: on, id: idOf('params.serialNumber') };
    case 'group':
    case 'deletedGroup':
      return { kind: on, id: idOf('params.groupId') };
    case 'diagnostic':
      return { kind: on, id: idOf('params.id') };
    case 'move':
      return { kind: on, id: idOf('params.moveId') };
    case 'list': {
      // The one that a list is of, if it is.
      const id = read('query.organization_id');
      return id ? { kind: 'organization', id, at: 'root' } : undefined;
    }
    default:
      return undefined;
  }
}
