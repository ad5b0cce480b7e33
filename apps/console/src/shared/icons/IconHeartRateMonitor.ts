import { createIcon } from './create-icon.ts';

export const IconHeartRateMonitor = createIcon(
  'M3 5a1 1 0 0 1 1 -1h16a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1l0 -10',
  'M7 20h10',
  'M9 16v4',
  'M15 16v4',
  'M7 10h2l2 3l2 -6l1 3h3',
);
