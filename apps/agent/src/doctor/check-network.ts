import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connectTcp, withPatience } from './connect.ts';
import { explainConnection, type Finding } from './finding.ts';

/** Where a connection goes to. */
export interface Place {
  host: string;
  port: number;
}

export function getPlace(url: URL): Place {
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  };
}

/** The addresses of a name; none where it has none. */
export async function checkName({ host }: Place): Promise<{ finding: Finding; addresses: string[] }> {
  const subject = `DNS ${host}`;
  if (isIP(host) !== 0) {
    return { finding: { subject, state: 'skipped', text: 'is an address already' }, addresses: [host] };
  }
  try {
    const found = await withPatience(lookup(host, { all: true, verbatim: true }));
    const addresses = [...new Set(found.map(({ address }) => address))];
    return { finding: { subject, state: 'ok', text: addresses.join(', ') }, addresses };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isUnknown = code === 'ENOTFOUND';
    return {
      finding: {
        subject,
        state: 'failed',
        text: isUnknown ? 'nobody knows this name' : `the name server does not answer (${code})`,
        advice: isUnknown
          ? 'Check how it is written in --server, and that the name server of this network knows it.'
          : 'Check the name servers in /etc/resolv.conf and the way to them.',
      },
      addresses: [],
    };
  }
}

/** Each address by itself: with one that leads nowhere everything begins late. */
export async function checkTcp(addresses: readonly string[], port: number): Promise<Finding> {
  const subject = `TCP port ${port}`;
  const tried = await Promise.all(
    addresses.map(async (address) => {
      try {
        (await connectTcp(address, port)).destroy();
        return { address, error: undefined };
      } catch (error) {
        return { address, error };
      }
    }),
  );
  const open = tried.filter(({ error }) => error === undefined);
  const [first] = tried;
  if (open.length === 0 && first) {
    return { subject, state: 'failed', ...explainConnection(first.error, port) };
  }
  const shut = tried
    .filter(({ error }) => error !== undefined)
    .map(({ address, error }) => `${address}: ${explainConnection(error, port).text}`);
  const text = open.map(({ address }) => address).join(', ');
  return { subject, state: 'ok', text: shut.length === 0 ? text : `${text}, but not ${shut.join(', ')}` };
}
