import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { formatAgo } from '../../../shared/time/relative-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import classes from './overview.module.css';

/** How long ago, roughly; exactly on hover. */
export function Ago({ at }: { at: string }) {
  const { t } = useTranslation('overview');
  const { formatDate } = useFormat();
  const locale = useLocale();
  const now = useNow();
  return (
    <time dateTime={at} title={formatDate(at)} className={classes.ago}>
      {formatAgo(at, locale, now) ?? t('now')}
    </time>
  );
}
