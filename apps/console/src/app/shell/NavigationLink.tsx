import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './shell.module.css';
import { isAtSection, type Section } from './use-sections.ts';

/** Beyond it the number says no more. */
const mostCounted = 99;

/** A section as the navigation shows it. */
export function NavigationLink({ section }: { section: Section }) {
  const { to, Icon, label, exact = false, isInBar = false } = section;
  const isCurrent = useLocation({ select: (place) => isAtSection(section, place) });
  return (
    <Link
      to={to}
      className={classes.link}
      data-rest={isInBar ? undefined : true}
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
      activeOptions={{ exact, includeSearch: false }}
    >
      <Icon size={18} stroke={1.75} />
      <span className={classes.linkLabel}>{label}</span>
      <SectionMark {...section} />
    </Link>
  );
}

/** What of a section wants to be seen: how much, or that there is something. */
export function SectionMark({ count = 0, needsAttention = false }: Pick<Section, 'count' | 'needsAttention'>) {
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
