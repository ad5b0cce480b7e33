import { Stack, Switch, Text } from '@mantine/core';
import { type Controller, isAllowed } from '@pult/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';

type Owned = Pick<Controller, 'serialNumber' | 'userRole'>;

/** Whether the server keeps answers of a controller's web interfaces, and how much of its line that has saved. */
export function WebCacheSetting({ controller: { serialNumber, userRole } }: { controller: Owned }) {
  const { t } = useTranslation(['webCache', 'shared']);
  const { formatBytes } = useFormat();
  const reasonId = useId();
  const query = useQuery(webCacheQuery(serialNumber));
  const settings = query.data;
  const update = useSwitchWebCache(serialNumber);
  const mayChange = isAllowed(userRole, 'controllers.update');

  const set = (enabled: boolean) =>
    update.mutate(enabled, {
      onSuccess: () => showToast({ severity: 'success', summary: enabled ? t('turnedOn') : t('turnedOff') }),
    });

  const unavailable = settings?.isAvailable === false ? t('unavailable') : undefined;
  const reason = mayChange ? unavailable : `${t('roleTooWeak.member', { ns: 'shared' })}.`;
  return (
    <Section title={t('title')} description={t('text')}>
      <Stack gap="sm" align="flex-start">
        <QueryState query={query} failure={t('loadFailed')} rows={1} height={44} />
        {settings && (
          <>
            <Switch
              label={t('enabled')}
              description={t('enabledHint')}
              checked={settings.enabled && settings.isAvailable}
              disabled={reason !== undefined || update.isPending}
              aria-describedby={reason === undefined ? undefined : reasonId}
              onChange={(event) => set(event.currentTarget.checked)}
            />
            {reason !== undefined && (
              <Text id={reasonId} size="sm" c="var(--pult-warning)">
                {reason}
              </Text>
            )}
            <Text size="sm" c="dimmed">
              {settings.savedBytes > 0
                ? t('saved', { bytes: formatBytes(settings.savedBytes) })
                : t('savedNone')}
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}

function webCacheQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.webCacheOf(serialNumber),
    queryFn: ({ signal }) => api('getWebCache', { params: { serialNumber }, signal }),
  });
}

function useSwitchWebCache(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => api('updateWebCache', { params: { serialNumber }, body: { enabled } }),
    onSuccess: (settings) => client.setQueryData(webCacheQuery(serialNumber).queryKey, settings),
  });
}
