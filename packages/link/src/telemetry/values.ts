import { type ByteReader, type ByteWriter, fromZigzag, toZigzag } from './bytes.ts';
import { type Decimal, formatDecimal, maxDecimals, maxDigits, parseDecimal } from './decimal.ts';
import { TelemetryFormatError } from './format-error.ts';

/**
 * A value is one number and what it announces. Even: how far its digits are from those of the last number of the same
 * place, which had as many decimals. Odd, and halved: up to 15 the decimals of a number whose digits follow; from 16 on
 * the bytes of a text that follows.
 */
const firstTextCode = maxDecimals + 1;

/** What a place holds before its first number. */
export const createLastNumber = (): Decimal => ({ digits: 0, decimals: 0 });

/** Remembers a number in `last`, as whoever reads it does. */
export function writeValue(writer: ByteWriter, text: string, last: Decimal): void {
  const number = parseDecimal(text);
  if (number === null) {
    writer.writeVarint(2 * (firstTextCode + Buffer.byteLength(text)) + 1);
    writer.writeBareText(text);
    return;
  }
  if (number.decimals === last.decimals) writer.writeVarint(2 * toZigzag(number.digits - last.digits));
  else {
    writer.writeVarint(2 * number.decimals + 1);
    writer.writeSigned(number.digits);
  }
  last.digits = number.digits;
  last.decimals = number.decimals;
}

export function readValue(reader: ByteReader, last: Decimal): string {
  const code = reader.readVarint(Number.MAX_SAFE_INTEGER);
  const half = Math.floor(code / 2);
  if (code % 2 === 1 && half >= firstTextCode) return reader.readBareText(half - firstTextCode);
  if (code % 2 === 0) last.digits += fromZigzag(half);
  else {
    last.decimals = half;
    last.digits = reader.readSigned();
  }
  if (Math.abs(last.digits) >= maxDigits) throw new TelemetryFormatError('a number is too long');
  return formatDecimal(last);
}
