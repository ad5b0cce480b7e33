import { serialNumber } from '@pult/contract';

/** What people may write behind a serial number: the tunnel domain, as far as they copied it from an address. */
function suffixesOf(tunnelDomain: string): string[] {
  const domain = tunnelDomain.replace(/:\d+$/, '');
  return [`.http.${domain}`, `.ssh.${domain}`, `.${domain}`];
}

/** The serial number that a host name stands for; undefined when it cannot be one. */
export function readJumpTarget(host: string, tunnelDomain: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  const suffix = suffixesOf(tunnelDomain).find((each) => name.endsWith(each)) ?? '';
  const parsed = serialNumber.safeParse(name.slice(0, name.length - suffix.length));
  return parsed.success ? parsed.data : undefined;
}
