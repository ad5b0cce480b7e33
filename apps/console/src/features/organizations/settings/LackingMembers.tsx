import type { Member } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from './settings.module.css';

interface Props {
  lacking: readonly Member[];
  withCount?: boolean;
}

const shownNames = 10;

/** The members without a second factor, the first of them by name. */
export function LackingMembers({ lacking, withCount = true }: Props) {
  const { t } = useTranslation('organizations');
  const { formatNumber } = useFormat();
  const count = lacking.length;
  const rest = count - shownNames;
  if (count === 0) return <p className={classes.lacking}>{t('settings.lackingNone')}</p>;
  return (
    <div className={classes.lacking}>
      {withCount && t('settings.lacking', { count, formatted: formatNumber(count) })}
      <ul>
        {lacking.slice(0, shownNames).map(({ userId, email }) => (
          <li key={userId}>{email}</li>
        ))}
        {rest > 0 && <li>{t('settings.lackingMore', { formatted: formatNumber(rest) })}</li>}
      </ul>
    </div>
  );
}
