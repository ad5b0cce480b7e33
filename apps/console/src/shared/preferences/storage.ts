/**
 * localStorage throws where a browser forbids it. What could not be stored then holds until the page is closed.
 */
const memory = new Map<string, string>();

export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return memory.get(name) ?? null;
  }
}

export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    memory.set(name, value);
  }
}
