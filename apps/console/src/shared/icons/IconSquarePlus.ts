import { createIcon } from './create-icon.ts';

export const IconSquarePlus = createIcon(
  'M9 12h6',
  'M12 9v6',
  'M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14',
);
