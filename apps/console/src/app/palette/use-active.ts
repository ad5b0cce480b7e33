import { useState } from 'react';
import type { PaletteItem } from './palette-items.ts';

/** Which of the items the keys act on: the first, until another is chosen. */
export function useActive(items: readonly PaletteItem[]) {
  const [chosen, setChosen] = useState<string>();
  const index = Math.max(
    items.findIndex(({ id }) => id === chosen),
    0,
  );
  const active = items[index];
  return {
    active,
    /** Somebody has looked and chosen, so what comes later takes nothing over. */
    isChosen: active !== undefined && active.id === chosen,
    choose: setChosen,
    /** Round and round. */
    move: (step: number) => setChosen(items.at((index + step) % items.length)?.id),
  };
}
