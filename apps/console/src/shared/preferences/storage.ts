/**
 * localStorage throws where a browser forbids it, and where it is full. What could not be stored then holds until the page
 * is closed, above what is stored: a logout that is not written down is one all the same.
 */
const memory = new Map<string, string>();

export function readPreference(name: string): string | null {
  const held = memory.get(name);
  if (held !== undefined) return held;
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
    memory.delete(name);
  } catch {
    memory.set(name, value);
  }
}
