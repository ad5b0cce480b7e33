import { useTranslation } from 'react-i18next';
import classes from './section-mark.module.css';
import type { Section } from './use-sections.ts';

/** Beyond it the number says no more. */
const mostCounted = 99;

/** What of a section wants to be seen: how much, or that there is something. */
export function SectionMark({
  count = 0,
  needsAttention = false,
}: Pick<Section, 'count' | 'needsAttention'>) {
  const { t } = useTranslation('app');
  if (count === 0 && !needsAttention) return null;
  return (
    <>
      {/* For those who hear it. */}{' '}
      {count > 0 ? (
        <span className={classes.count}>{count > mostCounted ? `${mostCounted}+` : count}</span>
      ) : (
        <span className={classes.dot} role="img" aria-label={t('needsAttention')} />
      )}
    </>
  );
}
