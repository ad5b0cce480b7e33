import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

interface Props {
  /** Each with what it is called; what is not there is left out. */
  facts: readonly (readonly [string, ReactNode])[];
}

/** What is known of one thing, a line each. */
export function FactList({ facts }: Props) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
