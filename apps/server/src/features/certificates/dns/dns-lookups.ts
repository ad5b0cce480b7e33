import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Questions to one DNS server, or to those of this machine. */
export type DnsLookups = ReturnType<typeof createDnsLookups>;

export const createDnsLookups = (server?: { address: string; port: number }) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (server) resolver.setServers([formatServer(server)]);
  const orNone = async <T>(question: Promise<T[]>): Promise<T[]> => {
    try {
      return await question;
    } catch {
      // Not there, refused or silent: the next one is asked.
      return [];
    }
  };
  return {
    /** Whether that name is the top of a zone. */
    async hasZone(name: string): Promise<boolean> {
      return resolver.resolveSoa(name).then(
        () => true,
        () => false,
      );
    },
    findAlias: async (name: string) => (await orNone(resolver.resolveCname(name)))[0]?.replace(/\.$/, ''),
    listNameServers: (zone: string) => orNone(resolver.resolveNs(zone)),
    listAddresses: async (name: string) => [
      ...(await orNone(resolver.resolve4(name))),
      ...(await orNone(resolver.resolve6(name))),
    ],
    async listTexts(name: string): Promise<string[]> {
      return (await orNone(resolver.resolveTxt(name))).map((parts) => parts.join(''));
    },
    cancel: () => resolver.cancel(),
  };
};

function formatServer({ address, port }: { address: string; port: number }): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The name at which the record is to be made: CNAMEs are followed, as the authority does. */
export async function followAliases(name: string, sources: readonly DnsLookups[]): Promise<string> {
  let current = name;
  for (let hops = 0; hops < 8; hops++) {
    const alias = await findFirst(sources, (source) => source.findAlias(current));
    if (alias === undefined) return current;
    current = alias.toLowerCase();
  }
  return current;
}

/** The zone that a name is in, by the first who knows. */
export async function findZone(name: string, sources: readonly DnsLookups[]): Promise<string | undefined> {
  for (const source of sources) {
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      if (await source.hasZone(zone)) return zone;
    }
  }
  return undefined;
}

/** Addresses of the servers that have the zone, by their names. */
export async function listAuthorities(zone: string, sources: readonly DnsLookups[]): Promise<string[]> {
  const names = await findFirst(sources, async (source) => nonEmpty(await source.listNameServers(zone)));
  const found = await Promise.all(
    (names ?? []).map(
      async (name) =>
        (await findFirst(sources, async (source) => nonEmpty(await source.listAddresses(name)))) ?? [],
    ),
  );
  return [...new Set(found.flat())];
}

export async function findAddress(host: string): Promise<string> {
  return (await lookup(host)).address;
}

const nonEmpty = <T>(values: T[]): T[] | undefined => (values.length > 0 ? values : undefined);

async function findFirst<S, T>(
  sources: readonly S[],
  ask: (source: S) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const source of sources) {
    const found = await ask(source);
    if (found !== undefined) return found;
  }
  return undefined;
}
