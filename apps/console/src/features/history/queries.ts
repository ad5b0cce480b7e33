import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { type HistorySearch, isChosen, readPeriod } from './history-search.ts';

export interface ControlName {
  device: string;
  control: string;
}

/** What a control was over the period; one that ends now goes on every minute. */
export function historyQuery(serialNumber: string, { device, control }: ControlName, search: HistorySearch) {
  const { historyPeriod: period, historyFrom: from, historyTo: to } = search;
  return queryOptions({
    queryKey: queryKeys.controllers.historyOf(serialNumber, device, control, period, from, to),
    queryFn: async ({ signal }) => {
      const shown = readPeriod(search);
      const body = {
        controls: [{ device, control }],
        start: new Date(shown.start).toISOString(),
        stop: new Date(shown.stop).toISOString(),
      };
      const { resolution, series } = await api('queryControllerHistory', {
        params: { serialNumber },
        body,
        signal,
      });
      return { shown, resolution, points: series[0]?.points ?? [] };
    },
    refetchInterval: isChosen(search) ? false : 60_000,
    staleTime: 30_000,
    // While another period loads the last one stays, but never that of another control.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === serialNumber.toUpperCase() &&
      query.queryKey[3] === device &&
      query.queryKey[4] === control
        ? previous
        : undefined,
  });
}
