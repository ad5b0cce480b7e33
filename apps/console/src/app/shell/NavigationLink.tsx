import { Link, useLocation } from '@tanstack/react-router';
import { SectionMark } from './SectionMark.tsx';
import classes from './shell.module.css';
import { isAtSection, type Section } from './use-sections.ts';

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
