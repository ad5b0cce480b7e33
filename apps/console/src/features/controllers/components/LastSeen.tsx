import { Tooltip } from '@mantine/core';
import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { formatAgo } from '../../../shared/time/relative-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';

/** When a controller was last heard of: roughly, and exactly on hover. */
export function LastSeen({ controller }: { controller: Pick<Controller, 'status' | 'lastSeenAt'> }) {
  const { t } = useTranslation('controllers');
  const { formatDate } = useFormat();
  const locale = useLocale();
  const now = useNow();
  const { lastSeenAt, status } = controller;
  if (lastSeenAt === null) return <span>{t('lastSeen.never')}</span>;
  const ago = status === 'online' ? t('lastSeen.now') : formatAgo(lastSeenAt, locale, now);
  return (
    <Tooltip label={formatDate(lastSeenAt)}>
      <time dateTime={lastSeenAt}>{ago ?? t('lastSeen.justNow')}</time>
    </Tooltip>
  );
}
