import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

interface Props {
  title: string;
  description?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A framed part of a page. */
export function Section({ title, description, actions, children }: Props) {
  return (
    <section className={classes.section} aria-label={title}>
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
