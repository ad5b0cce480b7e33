export { GiveAccessDialog } from './access/GiveAccessDialog.tsx';
export { PlaceFields, usePlaceCheck } from './access/PlaceFields.tsx';
export { PlaceName } from './access/PlaceName.tsx';
export { toPlace, type TypedPlace } from './access/places.ts';
export { grantsQuery } from './access/queries.ts';
export { RoleField } from './access/RoleField.tsx';
