import type { Controller } from '@pult/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { formatAgo } from '../../../shared/time/relative-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import { ControlHistory, historySearch } from '../../history/index.ts';
import { findControls } from '../find-controls.ts';
import { useHistoryControl } from '../history-control.ts';
import { DeviceValues } from './DeviceValues.tsx';
import classes from './data-tab.module.css';

/** With more controls than these the devices are closed at first: nobody reads so many at once. */
const openAtFirst = 150;

/** What the devices of a controller tell over its MQTT broker, as it changes. */
export function DataTab({ controller }: { controller: Controller }) {
  const { t } = useTranslation('telemetry');
  const { formatNumber } = useFormat();
  const locale = useLocale();
  const now = useNow();
  const [search, setSearch] = useState('');
  const query = useQuery(lastValuesQuery(controller.serialNumber));
  const { data } = query;
  const found = useMemo(() => findControls(data?.devices ?? [], search), [data, search]);
  const shown = useSearchOf(historySearch, { isPart: true });
  const change = useRef(shown.change);
  useLayoutEffect(() => {
    change.current = shown.change;
  });
  // The same one each time: rows are drawn anew only when their controls have changed.
  const openHistory = useCallback(
    (history: string) => change.current({ history, historyFrom: 0, historyTo: 0 }),
    [],
  );
  const history = useHistoryControl(data?.devices ?? [], shown.search.history);
  const total = found.reduce((sum, { controls }) => sum + controls.length, 0);

  if (!data) return <QueryState query={query} failure={t('loadFailed')} rows={6} />;
  if (data.devices.length === 0) {
    const hint = controller.connectionKind === 'agent' ? t('emptyHint') : t('emptyHintTunnel');
    return <EmptyState title={t('empty')}>{hint}</EmptyState>;
  }
  const ago = data.receivedAt === null ? undefined : formatAgo(data.receivedAt, locale, now);
  return (
    <div className={classes.tab}>
      <div className={classes.bar}>
        <div className={classes.search}>
          <SearchField label={t('search')} value={search} onChange={setSearch} />
        </div>
        <p className={classes.summary}>
          {t('devices', { count: found.length, formatted: formatNumber(found.length) })}
          {', '}
          {t('controls', { count: total, formatted: formatNumber(total) })}
          {' · '}
          {ago === undefined ? t('receivedNow') : t('received', { ago })}
        </p>
      </div>
      {controller.status !== 'online' && <p className={classes.offline}>{t('offline')}</p>}
      {found.length === 0 ? (
        <EmptyState title={t('nothingFound')}>{t('nothingFoundHint')}</EmptyState>
      ) : (
        found.map((device) => (
          <DeviceValues
            key={device.id}
            device={device}
            isOpenAtFirst={search !== '' || total <= openAtFirst || found.length === 1}
            onOpenHistory={openHistory}
          />
        ))
      )}
      {history && (
        <ControlHistory
          serialNumber={controller.serialNumber}
          control={history}
          search={shown.search}
          onChange={shown.change}
          onClose={shown.clear}
        />
      )}
    </div>
  );
}

/** The server tells of changes for 90 s after each reading. */
const readEvery = 60_000;

/** The last values of a controller's MQTT controls; between two readings events change them in the cache. */
function lastValuesQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.valuesOf(serialNumber),
    queryFn: ({ signal }) => api('getLastMqttData', { params: { serialNumber }, signal }),
    refetchInterval: readEvery,
    // The server asks the reading anew whoever comes back to the page.
    staleTime: 0,
  });
}
