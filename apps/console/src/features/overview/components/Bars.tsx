import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../../shared/paths.ts';
import classes from './overview.module.css';

export interface Bar {
  key: string;
  name: string;
  figures: ReactNode;
  /** Of the width. */
  share: number;
  /** The list's filter for these controllers; undefined where there is none. */
  search: Record<string, string> | undefined;
}

interface Props {
  organizationId: string;
  bars: readonly Bar[];
  /** `bad`: what is wrong with them; otherwise how many they are. */
  tone?: 'bad';
}

/** Parts of the fleet, each with a bar. */
export function Bars({ organizationId, bars, tone }: Props) {
  return (
    <ul className={classes.list}>
      {bars.map(({ key, name, figures, share, search }) => {
        const content = (
          <>
            <span className={classes.name}>
              <bdi>{name}</bdi>
            </span>{' '}
            <span className={classes.figures}>{figures}</span>
            <span className={classes.track} data-tone={tone} aria-hidden>
              <span style={{ width: `${100 * share}%` }} />
            </span>
          </>
        );
        return (
          <li key={key}>
            {search ? (
              <Link to={paths.controllers(organizationId)} search={search} className={classes.bar}>
                {content}
              </Link>
            ) : (
              <div className={classes.bar}>{content}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
