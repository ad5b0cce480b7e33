export { AccessTab } from './AccessTab.tsx';
export { GiveAccessDialog } from './GiveAccessDialog.tsx';
export { PlaceFields, usePlaceCheck } from './PlaceFields.tsx';
export { PlaceName } from './PlaceName.tsx';
export { type TypedPlace, toPlace } from './places.ts';
export { grantsQuery } from './queries.ts';
export { RoleField } from './RoleField.tsx';
