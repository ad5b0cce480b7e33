import { createIcon } from './create-icon.ts';

export const IconServer2 = createIcon(
  'M3 7a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3v-2',
  'M3 15a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -2',
  'M7 8l0 .01',
  'M7 16l0 .01',
  'M11 8h6',
  'M11 16h6',
);
