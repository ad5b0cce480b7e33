import { lazy } from 'react';
import { loadPart } from '../../shared/page/load-part.ts';

/** xterm is large and only for those who open a terminal. */
export const GuestTerminal = lazy(async () => {
  const module = await loadPart(() => import('./pages/GuestTerminal.tsx'));
  return { default: module.GuestTerminal };
});
