import { createIcon } from './create-icon.ts';

export const IconLockX = createIcon(
  'M13 21h-6a2 2 0 0 1 -2 -2v-6a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v.5',
  'M11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0',
  'M8 11v-4a4 4 0 1 1 8 0v4',
  'M22 22l-5 -5',
  'M17 22l5 -5',
);
