import { Tooltip } from '@mantine/core';
import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { formatSince } from '../since.ts';
import { StatusDot } from './StatusLabel.tsx';
import classes from './status.module.css';

/** The status and since when, with its reason where that explains something. */
export function StatusSince({ controller }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  const { formatDate } = useFormat();
  const locale = useLocale();
  const now = useNow();
  const { status, statusSince, statusReason } = controller;
  const explained = statusReason !== 'link' && statusReason !== 'never_seen';
  return (
    <span className={classes.status} role="status">
      <StatusDot status={status} />
      <Tooltip label={formatDate(statusSince)} disabled={status === 'never'}>
        <span>{t(`statusSince.${status}`, { time: formatSince(statusSince, locale, now) })}</span>
      </Tooltip>
      {explained && <span className={classes.reason}>{t(`statusReason.${statusReason}`)}</span>}
    </span>
  );
}
