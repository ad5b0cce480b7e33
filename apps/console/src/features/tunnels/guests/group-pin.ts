import { limits } from '@pult/contract';

/** A PIN as it is read out and typed: `0156 6358`. Whatever is no digit goes, and what is too much. */
export function groupPin(text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, limits.guestPinLength);
  const half = limits.guestPinLength / 2;
  return digits.length > half ? `${digits.slice(0, half)} ${digits.slice(half)}` : digits;
}
