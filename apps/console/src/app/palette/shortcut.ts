type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Ctrl+K, or ⌘K on a Mac, where Ctrl+K belongs to text fields; by its place on a keyboard of another alphabet. */
export function isPaletteShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  const isModified = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isModified && !altKey && !shiftKey && (key.toLowerCase() === 'k' || code === 'KeyK');
}

/** Names of keys as they stand on the keyboard. */
export const keyNames = {
  palette: isMac ? '⌘ K' : 'Ctrl K',
  web: isMac ? '⌘ ↵' : 'Ctrl ↵',
  terminal: isMac ? '⌥ ↵' : 'Alt ↵',
} as const;
