import { useDebouncedValue } from '@mantine/hooks';
import type { SearchResults } from '@pult/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

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

/** What the server finds for the text: asked a moment after the last letter, an answer to an earlier text is dropped. */
export function useFound(text: string): Found {
  const [asked] = useDebouncedValue(text, pause);
  const isWanted = text !== '';
  const query = useQuery({
    queryKey: queryKeys.controllers.search(asked),
    queryFn: ({ signal }) => api('search', { query: { search: asked }, signal }),
    enabled: isWanted && asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 5000,
    // The palette shows its failures itself; only the end of a session leads away from it.
    meta: { isBackground: true },
  });
  const isAnswered = asked === text && !query.isPlaceholderData && (query.isSuccess || query.isError);
  return {
    results: isWanted ? query.data : undefined,
    isPending: isWanted && !isAnswered,
    error: isWanted && isAnswered ? query.error : null,
    retry: () => void query.refetch(),
  };
}
