import { createIcon } from './create-icon.ts';

export const IconFocusCentered = createIcon(
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M4 8v-2a2 2 0 0 1 2 -2h2',
  'M4 16v2a2 2 0 0 0 2 2h2',
  'M16 4h2a2 2 0 0 1 2 2v2',
  'M16 20h2a2 2 0 0 0 2 -2v-2',
);
