import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type Camera, readCamera, writeCamera } from '../../shared/map/camera.ts';
import { useSearchOf } from '../../shared/search/use-search-of.ts';
import { filterSearch } from '../controllers/index.ts';

/** The list's filters and where the map looks: both live in the address. Moving the map leaves no history. */
export function useMapSearch() {
  const filters = useSearchOf(filterSearch, { isPart: true });
  const camera = readCamera(useSearch({ strict: false }));
  const navigate = useNavigate();
  const router = useRouter();
  const pathname = useLocation({ select: (location) => location.pathname });
  return {
    ...filters,
    camera,
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
