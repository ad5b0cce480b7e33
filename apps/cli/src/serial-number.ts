import { serialNumber } from '@pult/contract';
import { CliError } from './cli-error.ts';

/** In any case, as people write it; what is none makes no path, no file and no host name. */
export function readSerialNumber(text = ''): string {
  const parsed = serialNumber.safeParse(text);
  if (!parsed.success || text === '') throw new CliError('usage', `${text} is no serial number.`);
  return parsed.data;
}
