import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScrollTarget } from '../page/scroll-target.ts';
import classes from './section.module.css';

interface Props {
  title: string;
  /** What it is for. */
  description?: ReactNode;
  actions?: ReactNode;
  /** By which other pages lead to it. */
  id?: string;
  children: ReactNode;
}

/** The parts of a page where things are set: with room enough each has its title and what it says about itself at the left. */
export function SettingSections({ children }: { children: ReactNode }) {
  return <div className={classes.settings}>{children}</div>;
}

/** A framed part of a page. */
export function Section({ title, description, actions, id, children }: Props) {
  const { refOf } = useScrollTarget();
  return (
    <section
      className={classes.section}
      aria-label={title}
      {...(id === undefined ? {} : { id, ref: refOf(id) })}
    >
      <header className={classes.header}>
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          {description ? <p className={classes.description}>{description}</p> : null}
        </div>
        {actions}
      </header>
      <div className={classes.body}>{children}</div>
    </section>
  );
}
