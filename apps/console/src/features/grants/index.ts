export { GiveAccessDialog, type KnownSubject } from './GiveAccessDialog.tsx';
export { GrantList } from './GrantList.tsx';
export { PlaceFields, usePlaceCheck } from './PlaceFields.tsx';
export { PlaceName } from './PlaceName.tsx';
export { type TypedPlace, toPlace } from './places.ts';
export { grantsQuery, type NewAccess } from './queries.ts';
export { RoleField } from './RoleField.tsx';
