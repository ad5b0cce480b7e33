import type { TunnelProtocol } from '@pult/contract';
import { redirect } from '@tanstack/react-router';
import { paths } from '../../shared/paths.ts';

/** Serial numbers stand in capitals in every address (spec, section 5); others are replaced, with their query. */
export function requireUpperCaseSerial(
  serialNumber: string,
  addressOf: (serialNumber: string) => string,
  suffix: { searchStr: string; hash: string },
): void {
  const upperCase = serialNumber.toUpperCase();
  if (upperCase === serialNumber) return;
  const hash = suffix.hash ? `#${suffix.hash}` : '';
  throw redirect({ href: addressOf(upperCase) + suffix.searchStr + hash, replace: true });
}

/** Only http and ssh are connected to (spec, section 5). */
export function requireProtocol(protocol: string): TunnelProtocol {
  // Not the contract's list: it lives among schemas, which would come along into the first load.
  if (protocol === 'http' || protocol === 'ssh') return protocol;
  throw redirect({ href: paths.root(), replace: true });
}
