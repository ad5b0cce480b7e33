import { useDebouncedValue } from '@mantine/hooks';
import { ApiError, type Controller, type Organization, type SearchResults } from '@pult/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client.ts';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { IconListSearch as IconList } from '../../shared/icons/IconListSearch.ts';
import { paths } from '../../shared/paths.ts';
import { isLikely, matches, swapLayout } from './matching.ts';
import {
  type ControllerItem,
  type Go,
  type PaletteItem,
  type PaletteSection,
  type PlainItem,
  useCommands,
} from './palette-items.ts';
import { forgetRecent, listRecent } from './palette-state.ts';
import { usePlaces } from './places.ts';

interface Options {
  /** Trimmed. */
  text: string;
  organization: Organization | undefined;
  organizations: readonly Organization[] | undefined;
  go: Go;
  close: () => void;
}

/** Of one kind: the palette is no list, and what stands below must be in reach. */
const shown = { controllers: 10, groups: 5, organizations: 6 };

/** Everything that fits the text, in sections, what is meant most probably first. */
export function usePaletteSections(options: Options): { sections: PaletteSection[]; found: Found } {
  const { text, organization, go } = options;
  const { t } = useTranslation('palette');
  const found = useFound(text);
  const recent = useRecent();
  const commands = useCommands(options);
  const places = usePlaces(organization, go);

  const toItem = (controller: ControllerItem['controller']): ControllerItem => ({
    kind: 'controller',
    id: `controller-${controller.serialNumber}`,
    controller,
    run: () => go(paths.controller(controller.organization.id, controller.serialNumber)),
  });
  if (text === '') {
    return { sections: keepFilled([{ name: 'recent', items: recent.map(toItem) }, ...commands]), found };
  }

  const { controllers = [], groups = [] } = found.results ?? {};
  const items: PaletteItem[] = controllers.slice(0, shown.controllers).map(toItem);
  if (organization && controllers.length > shown.controllers) {
    items.push({
      kind: 'plain',
      id: 'list',
      label: t('listOf'),
      Icon: IconList,
      run: () => go(paths.controllers(organization.id), { search: text }),
    });
  }
  const remote: PaletteSection[] = [
    { name: 'controllers', items },
    {
      name: 'groups',
      items: groups.slice(0, shown.groups).map((group) => ({
        kind: 'group',
        id: `group-${group.id}`,
        group,
        run: () => go(paths.controllers(group.organization.id), { group_ids: group.id }),
      })),
    },
  ];
  const findHere = (words: string) =>
    withPlaces(commands, places).map(({ name, items: all }) => ({
      name,
      items: all.filter((item) => item.kind === 'plain' && matches(namesOf(item), words)),
    }));
  const meant = findHere(text).some(({ items: some }) => some.length > 0) ? text : swapLayout(text);
  const local = findHere(meant);
  // Of controllers a serial number is meant; of what is here a page or a command, as places are named after each other.
  const isLocalMeant =
    local.some(
      ({ name, items: some }) =>
        name !== 'organizations' &&
        some.some((item) => item.kind === 'plain' && isLikely(namesOf(item), meant)),
    ) && !controllers.some(({ serialNumber }) => serialNumber.startsWith(text.toUpperCase()));
  const sections = isLocalMeant ? [...local, ...remote] : [...remote, ...local];
  return { sections: keepFilled(sections), found };
}

/** What it is called, here and by others. */
const namesOf = ({ label, words = '' }: PlainItem) => `${label} ${words}`;

/** The parts of pages behind the pages. */
function withPlaces([pages, ...others]: PaletteSection[], places: PlainItem[]): PaletteSection[] {
  return [...(pages ? [pages] : []), { name: 'places', items: places }, ...others];
}

function keepFilled(sections: readonly PaletteSection[]): PaletteSection[] {
  return sections
    .map(({ name, items }) => ({
      name,
      items: name === 'organizations' ? items.slice(0, shown.organizations) : items,
    }))
    .filter(({ items }) => items.length > 0);
}

/** Shorter than a pause between words, longer than one between letters. */
const pause = 120;

export interface Found {
  /** Undefined while there is nothing to show. The last ones stay while the next are looked for. */
  results: SearchResults | undefined;
  /** What is shown is not yet the answer to what stands in the field. */
  isPending: boolean;
  error: Error | null;
  retry: () => void;
}

/** What was typed in the wrong layout is found all the same. */
async function search(text: string, signal: AbortSignal): Promise<SearchResults> {
  const find = (words: string) => api('search', { query: { search: words }, signal });
  const results = await find(text);
  const isFound = results.controllers.length + results.groups.length > 0;
  return isFound || swapLayout(text) === text.toLowerCase() ? results : find(swapLayout(text));
}

/** What the server finds for the text: asked a moment after the last letter, an answer to an earlier text is dropped. */
function useFound(text: string): Found {
  const [asked] = useDebouncedValue(text, pause);
  const isWanted = text !== '';
  const query = useQuery({
    queryKey: queryKeys.controllers.search(asked),
    queryFn: ({ signal }) => search(asked, signal),
    enabled: isWanted && asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 5000,
    // The palette shows its failures itself.
    meta: { isBackground: true, errors: { inPlace: 'refusals' } },
  });
  const isAnswered = asked === text && !query.isPlaceholderData && (query.isSuccess || query.isError);
  return {
    results: isWanted ? query.data : undefined,
    isPending: isWanted && !isAnswered,
    error: isWanted && isAnswered ? query.error : null,
    retry: () => void query.refetch(),
  };
}

/** The controllers opened last, as they are now. Those that are gone are forgotten without a word. */
function useRecent(): Controller[] {
  const { data: user } = useQuery(currentUserQuery);
  const userId = user?.id;
  const { data } = useQuery({
    queryKey: queryKeys.controllers.recent,
    queryFn: async ({ signal }) => {
      const load = async (serialNumber: string) => {
        try {
          return await api('getController', { params: { serialNumber }, signal });
        } catch (error) {
          // Nobody asked for that one (docs/spec-lines.md, at 8.02).
          if (!(error instanceof ApiError) || ![403, 404].includes(error.status)) throw error;
          if (error.status === 404) forgetRecent(userId ?? '', serialNumber);
          return undefined;
        }
      };
      const all = await Promise.all(listRecent(userId ?? '').map(load));
      return all.filter((controller) => controller !== undefined);
    },
    enabled: userId !== undefined,
    // Each opening asks anew; until then what was shown last is shown.
    staleTime: 0,
    refetchOnMount: 'always',
    retry: false,
    meta: { isBackground: true },
  });
  return data ?? [];
}
