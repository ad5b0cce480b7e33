import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type Camera, readCamera, writeCamera } from '../../shared/map/camera.ts';
import { filterSearch, type ListSearch, listSearch } from '../controllers/index.ts';

/** The list's filters and where the map looks: both live in the address. Moving the map leaves no history. */
export function useMapSearch() {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const search = listSearch.read(raw);
  const camera = readCamera(raw);
  const navigate = useNavigate();
  const router = useRouter();
  const pathname = useLocation({ select: (location) => location.pathname });
  return {
    search,
    camera,
    change: (changes: Partial<ListSearch>) =>
      void navigate({
        to: '.',
        search: {
          ...filterSearch.write({ ...search, ...changes }),
          ...(camera ? writeCamera(camera) : {}),
        },
        replace: listSearch.isTyping(changes),
        resetScroll: false,
      }),
    moveTo: (next: Camera) => {
      // A map may come to rest when a link has led away from it: the next page's address is not the map's.
      if (router.latestLocation.pathname !== pathname) return;
      void navigate({
        to: '.',
        // Of the address as it is by then: a filter may have changed meanwhile.
        search: (current: Record<string, unknown>) => ({ ...current, ...writeCamera(next) }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}
