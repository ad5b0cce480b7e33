import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './controller-view.module.css';

interface Props {
  title: string;
  children: ReactNode;
}

/** A bordered part of the controller view. */
export function Section({ title, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
