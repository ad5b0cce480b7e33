/** A number as it is written: 24.10 is 2410 with two decimals. */
export interface Decimal {
  digits: number;
  decimals: number;
}

/** Of `digits`, so that the difference of two of them, four times over, is a safe integer. */
export const maxDigits = 1e15;
export const maxDecimals = 15;

const pattern = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;

/** Null for every text that `formatDecimal` would not write so. */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > 17 || !pattern.test(text)) return null;
  const point = text.indexOf('.');
  const digits = Number(text.replace('.', ''));
  const decimals = point < 0 ? 0 : text.length - point - 1;
  const isPlain = Math.abs(digits) < maxDigits && !(digits === 0 && text.startsWith('-'));
  return isPlain ? { digits, decimals } : null;
}

export function formatDecimal({ digits, decimals }: Decimal): string {
  const text = String(Math.abs(digits)).padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const sign = digits < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${text.slice(-decimals)}`;
}
