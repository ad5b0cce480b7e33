import { expect, test, vi } from 'vitest';
import type { MapLibreMap } from './maplibre.ts';
import { watchBaseMap } from './watch-base-map.ts';

function watch() {
  const listeners = new Map<string, (event: object) => void>();
  const on = (name: string, listener: (event: object) => void) => {
    listeners.set(name, listener);
    return { unsubscribe: () => undefined };
  };
  const onBroken = vi.fn();
  // Of the map nothing else is used.
  watchBaseMap({ on } as unknown as MapLibreMap, onBroken);
  const tell = (name: string, event: object) => listeners.get(name)?.(event);
  return { onBroken, tell };
}

test('a source that is gone breaks the map once', () => {
  const { onBroken, tell } = watch();
  tell('error', { sourceId: 'tiles' });
  tell('error', { sourceId: 'tiles' });
  expect(onBroken).toHaveBeenCalledOnce();
});

test('a few missing tiles are gaps, all of them are no map', () => {
  const { onBroken, tell } = watch();
  for (let count = 0; count < 3; count += 1) tell('error', { sourceId: 'tiles', tile: {} });
  expect(onBroken).not.toHaveBeenCalled();
  tell('error', { sourceId: 'tiles', tile: {} });
  expect(onBroken).toHaveBeenCalledOnce();
});

test('nothing breaks the map any more after a first tile', () => {
  const { onBroken, tell } = watch();
  tell('sourcedata', { sourceId: 'tiles', tile: {} });
  for (let count = 0; count < 9; count += 1) tell('error', { sourceId: 'tiles', tile: {} });
  expect(onBroken).not.toHaveBeenCalled();
});
