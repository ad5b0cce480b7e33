import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DisabledReason } from '../../shared/ui/DisabledReason.tsx';
import classes from './shell.module.css';

interface Props {
  to: string;
  search?: Record<string, string>;
  /** Where it arrives, when it only leads there: then it is current as well. */
  page?: string;
  icon: ReactNode;
  label: string;
  /** Current only at this very address, with this query, not at those below it. */
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
  const isAtPage = useLocation({ select: ({ pathname }) => pathname === page });
  return (
    <DisabledReason reason={reason}>
      <Link
        to={to}
        {...(search ? { search } : {})}
        className={classes.link}
        data-rest={rest || undefined}
        {...(isAtPage ? { 'aria-current': 'page' } : {})}
        activeOptions={{ exact, includeSearch: search !== undefined }}
      >
        {icon}
        <span className={classes.linkLabel}>{label}</span>
      </Link>
    </DisabledReason>
  );
}
