import { useEffect, useRef } from 'react';
import { type Shortcut, shortcutOf } from './shortcuts.ts';

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
