export const fontSizes = { min: 10, default: 14, max: 24 } as const;

const fontSizeKey = 'pult.terminal.fontSize';
const usernameKey = (serialNumber: string) => `pult.terminal.username.${serialNumber}`;

// Private modes and full disks make storage throw: a preference is then simply not remembered.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {}
}

export function clampFontSize(size: number): number {
  return Math.min(fontSizes.max, Math.max(fontSizes.min, Math.round(size)));
}

export function loadFontSize(): number {
  const size = Number(read(fontSizeKey));
  return Number.isFinite(size) && size > 0 ? clampFontSize(size) : fontSizes.default;
}

export function saveFontSize(size: number): void {
  write(fontSizeKey, String(clampFontSize(size)));
}

/** The user name last used on this controller. Never a password or a key. */
export function loadUsername(serialNumber: string): string {
  return read(usernameKey(serialNumber)) || 'root';
}

export function saveUsername(serialNumber: string, username: string): void {
  write(usernameKey(serialNumber), username);
}
