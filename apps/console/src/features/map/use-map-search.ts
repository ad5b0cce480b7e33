import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Camera, readCamera, writeCamera } from '../../shared/map/camera.ts';
import { usePagePath } from '../../shared/search/use-page-path.ts';
import { useSearchOf } from '../../shared/search/use-search-of.ts';
import { filterSearch } from '../controllers/index.ts';

/** The list's filters and where the map looks: both live in the address. Moving the map leaves no history. */
export function useMapSearch() {
  const filters = useSearchOf(filterSearch, { isPart: true });
  const camera = readCamera(useSearch({ strict: false }));
  const navigate = useNavigate();
  const readPath = usePagePath();
  return {
    ...filters,
    camera,
    moveTo: (next: Camera) => {
      const path = readPath();
      if (path === undefined) return;
      void navigate({
        to: path,
        // Of the address as it is by then: a filter may have changed meanwhile.
        search: (current: Record<string, unknown>) => ({ ...current, ...writeCamera(next) }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}
