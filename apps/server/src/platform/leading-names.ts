import { lookup, Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** How names are looked up; for tests of servers that have none. */
export interface NameLookups {
  /** As programs of this machine do, by its own file of names too. */
  lookUp(name: string): Promise<string[]>;
  /** As others do, in DNS alone: a machine often has its own name at 127.0.1.1 in its file of names. */
  resolve(name: string): Promise<string[]>;
  listOwnAddresses(): string[];
}

const dnsMs = 3_000;
/** That there is no such name, or that it has no address. */
const missing: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

const systemLookups: NameLookups = {
  lookUp: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  async resolve(name) {
    const resolver = new Resolver({ timeout: dnsMs, tries: 1 });
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  },
  listOwnAddresses: () =>
    Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)),
};

/**
 * Those of the names that lead neither where `home` does, the server's own name, nor to this machine. What stands before the server has
 * the address of `home`: to connect would say less, as many routers let nobody behind them use their outer address. Rejects where DNS
 * does not answer, which says nothing of the names.
 */
export async function findStrays(
  names: readonly string[],
  home: string,
  { lookUp, resolve, listOwnAddresses }: NameLookups = systemLookups,
): Promise<string[]> {
  const find = async (name: string) => {
    try {
      return await lookUp(name);
    } catch (error) {
      if (missing.has((error as NodeJS.ErrnoException).code ?? '')) return []; // of the system
      throw error;
    }
  };
  const [found, own, shown] = await Promise.all([Promise.all(names.map(find)), find(home), resolve(home)]);
  const ours = new Set([...own, ...shown, ...listOwnAddresses()]);
  return names.filter((_, index) => {
    const addresses = found[index] ?? [];
    // Clients take any of them.
    return addresses.length === 0 || addresses.some((address) => !ours.has(address));
  });
}
