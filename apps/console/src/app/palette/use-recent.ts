import { ApiError, type Controller } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { forgetRecent, listRecent } from './recent-controllers.ts';

/** The controllers opened last, as they are now. Those that are gone are forgotten without a word. */
export function useRecent(): Controller[] {
  const { data: user } = useQuery(currentUserQuery);
  const userId = user?.id;
  const { data } = useQuery({
    queryKey: queryKeys.controllers.recent,
    queryFn: async ({ signal }) => {
      const load = async (serialNumber: string) => {
        try {
          return await api('getController', { params: { serialNumber }, signal });
        } catch (error) {
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
