import { useEffect, useRef } from 'react';

/**
 * Keys of the terminal page. All of them are Ctrl+Shift+…, which reaches no shell: its own keys stay its own. (Ctrl+T,
 * Ctrl+W and the like belong to the browser and cannot be had.)
 */
export const shortcuts = [
  { name: 'copy', code: 'KeyC', key: 'C' },
  { name: 'paste', code: 'KeyV', key: 'V' },
  { name: 'search', code: 'KeyF', key: 'F' },
  { name: 'newSession', code: 'Enter', key: 'Enter' },
  { name: 'previousSession', code: 'ArrowLeft', key: '←' },
  { name: 'nextSession', code: 'ArrowRight', key: '→' },
  { name: 'larger', code: 'ArrowUp', key: '↑' },
  { name: 'smaller', code: 'ArrowDown', key: '↓' },
  { name: 'help', code: 'Slash', key: '/' },
] as const;
export type Shortcut = (typeof shortcuts)[number]['name'];

type Key = Pick<KeyboardEvent, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'code'>;

/** Which one is pressed; by the key's place, so that it works in a Cyrillic layout. */
export function shortcutOf({ ctrlKey, shiftKey, altKey, metaKey, code }: Key): Shortcut | undefined {
  if (!ctrlKey || !shiftKey || altKey || metaKey) return undefined;
  return shortcuts.find((shortcut) => shortcut.code === code)?.name;
}

/** Runs what a shortcut is for, wherever the focus is; one without an action is left to the browser. */
export function useShortcuts(actions: Partial<Record<Shortcut, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = latest.current[shortcutOf(event) ?? 'paste'];
      if (!action) return;
      event.preventDefault(); // Ctrl+Shift+C else opens the developer tools
      action();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
