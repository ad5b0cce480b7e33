import { readPreference, writePreference } from '../../../shared/preferences/storage.ts';

export const fontSizes = { min: 10, default: 14, max: 24 } as const;

const fontSizeName = 'terminal.fontSize';
const usernameName = (serialNumber: string) => `terminal.username.${serialNumber}`;

function clampFontSize(size: number): number {
  return Math.min(fontSizes.max, Math.max(fontSizes.min, Math.round(size)));
}

export function loadFontSize(): number {
  const size = Number(readPreference(fontSizeName));
  return Number.isFinite(size) && size > 0 ? clampFontSize(size) : fontSizes.default;
}

export function saveFontSize(size: number): void {
  writePreference(fontSizeName, String(clampFontSize(size)));
}

/** The user name last used on this controller. Never a password or a key. */
export function loadUsername(serialNumber: string): string {
  return readPreference(usernameName(serialNumber)) || 'root';
}

export function saveUsername(serialNumber: string, username: string): void {
  writePreference(usernameName(serialNumber), username);
}

/** Lines that can be scrolled back to. */
export const scrollbacks = [1_000, 10_000, 50_000] as const;
const scrollbackName = 'terminal.scrollback';

export function loadScrollback(): number {
  const lines = Number(readPreference(scrollbackName));
  return scrollbacks.find((each) => each === lines) ?? 10_000;
}

export function saveScrollback(lines: number): void {
  writePreference(scrollbackName, String(lines));
}
