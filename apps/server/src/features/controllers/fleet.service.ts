import { type Controller, limits, type SearchResults } from '@pult/contract';
import type { Caller, ScopedCaller } from '../../platform/access/index.ts';
import type { ControllerFilters } from './controller-filters.repository.ts';
import type { ControllersRepository } from './controllers.repository.ts';
import { type SearchRepository, splitWords } from './search.repository.ts';

interface Dependencies {
  controllers: Pick<ControllersRepository, 'listControllersAfter' | 'searchControllers'>;
  search: SearchRepository;
}

/** Controllers held in memory at once by an export, however many there are. */
const partSize = 500;

/** A whole fleet: in a file, and looked through. */
export function createFleetService({ controllers, search }: Dependencies) {
  return {
    /**
     * All that match, by serial number, in parts. Each part looks at the membership anew: who loses it meanwhile
     * gets no more.
     */
    async exportControllers(
      { scope }: ScopedCaller,
      filters: ControllerFilters,
    ): Promise<AsyncIterable<Controller[]>> {
      return (async function* () {
        let after = '';
        for (;;) {
          const part = await controllers.listControllersAfter(scope, filters, { after, limit: partSize });
          yield part;
          const last = part.at(-1);
          if (!last || part.length < partSize) return;
          after = last.serialNumber;
        }
      })();
    },

    /** What fits the words best, in all organizations that the user may enter. */
    async search({ scopeFor }: Caller, words: string): Promise<SearchResults> {
      const text = splitWords(words);
      const [found, groups] = await Promise.all([
        controllers.searchControllers(scopeFor('controllers.read'), text, limits.foundControllers),
        search.listGroups(scopeFor('groups.read'), text, limits.foundGroups),
      ]);
      return { controllers: found, groups };
    },
  };
}
export type FleetService = ReturnType<typeof createFleetService>;
