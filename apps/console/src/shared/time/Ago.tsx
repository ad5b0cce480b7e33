import { useTranslation } from 'react-i18next';
import { useLocale } from '../i18n/i18n.ts';
import { useFormat } from '../i18n/use-format.ts';
import { formatAgo } from './relative-time.ts';
import { useNow } from './use-now.ts';

interface Props {
  time: string;
  className?: string | undefined;
}

/** How long ago, with the moment itself for who points at it. */
export function Ago({ time, className }: Props) {
  const { t } = useTranslation('shared');
  const locale = useLocale();
  const { formatDate } = useFormat();
  const now = useNow();
  return (
    <time dateTime={time} title={formatDate(time, 'moment')} className={className}>
      {formatAgo(time, locale, now) ?? t('justNow')}
    </time>
  );
}
