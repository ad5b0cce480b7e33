import type { GrantPlace } from '@pult/contract';

export const placeTypes = ['group', 'controller', 'organization'] as const;
export type PlaceType = (typeof placeTypes)[number];

/** As a form has it: of the type that is chosen. */
export interface TypedPlace {
  type: PlaceType;
  group: string | null;
  controller: string;
}

export function toPlace({ type, group, controller }: TypedPlace, organizationId: string): GrantPlace {
  if (type === 'group') return { type, id: group ?? '' };
  if (type === 'controller') return { type, id: controller.trim() };
  return { type, id: organizationId };
}
