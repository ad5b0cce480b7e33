import type { ReactNode } from 'react';
import classes from './banner.module.css';

interface Props {
  tone: 'info' | 'warning';
  action?: ReactNode;
  children: ReactNode;
}

/** A line across the top of the page. */
export function BannerBar({ tone, action, children }: Props) {
  return (
    <div className={classes.banner} data-tone={tone} role="status">
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  );
}
