import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { readPreference, writePreference } from './storage.ts';

const storageName = 'colorScheme';

function isColorScheme(value: unknown): value is MantineColorScheme {
  return value === 'light' || value === 'dark' || value === 'auto';
}

/** Keeps the chosen colour scheme where public/first-paint.js finds it; other tabs follow. */
export function createColorSchemeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined;
  const unsubscribe = () => {
    if (listener) window.removeEventListener('storage', listener);
  };
  return {
    get: (fallback) => {
      const stored = readPreference(storageName);
      return isColorScheme(stored) ? stored : fallback;
    },
    set: (value) => writePreference(storageName, value),
    subscribe: (onUpdate) => {
      unsubscribe();
      listener = (event) => {
        if (event.key === storageName && isColorScheme(event.newValue)) onUpdate(event.newValue);
      };
      window.addEventListener('storage', listener);
    },
    unsubscribe,
    clear: () => writePreference(storageName, 'auto'),
  };
}
