import { createIcon } from './create-icon.ts';

export const IconLockPlus = createIcon(
  'M12.5 21h-5.5a2 2 0 0 1 -2 -2v-6a2 2 0 0 1 2 -2h10a2 2 0 0 1 1.74 1.012',
  'M11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0',
  'M8 11v-4a4 4 0 1 1 8 0v4',
  'M16 19h6',
  'M19 16v6',
);
