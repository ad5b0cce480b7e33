import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { formatAgo } from '../../../shared/time/relative-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';

/** How long ago, with the moment itself for who points at it. */
export function Ago({ time }: { time: string }) {
  const { t } = useTranslation('installation');
  const locale = useLocale();
  const { formatDate } = useFormat();
  const now = useNow();
  return (
    <time dateTime={time} title={formatDate(time, 'moment')}>
      {formatAgo(time, locale, now) ?? t('justNow')}
    </time>
  );
}
