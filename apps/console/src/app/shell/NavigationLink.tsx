import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DisabledReason } from '../../shared/ui/DisabledReason.tsx';
import classes from './shell.module.css';
import { isAtSection } from './use-sections.ts';

interface Props {
  to: string;
  search?: Record<string, string> | undefined;
  /** Where it arrives, when it only leads there: then it is current as well. */
  page?: string | undefined;
  icon: ReactNode;
  label: string;
  /** Current only at this very address, not at those below it. */
  exact?: boolean;
  /** Why it may not be opened. */
  reason?: string | undefined;
  /** On a phone it stands in the menu of the rest. */
  rest?: boolean;
}

export function NavigationLink({
  to,
  search,
  page,
  icon,
  label,
  exact = false,
  reason,
  rest = false,
}: Props) {
  const isCurrent = useLocation({ select: (place) => isAtSection({ to, page, search }, place) });
  return (
    <DisabledReason reason={reason}>
      <Link
        to={to}
        {...(search ? { search } : {})}
        className={classes.link}
        data-rest={rest || undefined}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
        activeOptions={{ exact, includeSearch: search !== undefined }}
      >
        {icon}
        <span className={classes.linkLabel}>{label}</span>
      </Link>
    </DisabledReason>
  );
}
