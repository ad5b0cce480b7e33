import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './shell.module.css';

interface Props {
  to: string;
  icon: ReactNode;
  label: string;
  /** Current only at this very address, not at those below it. */
  exact?: boolean;
}

export function NavigationLink({ to, icon, label, exact = false }: Props) {
  return (
    <Link to={to} className={classes.link} activeOptions={{ exact, includeSearch: false }}>
      {icon}
      <span className={classes.linkLabel}>{label}</span>
    </Link>
  );
}
