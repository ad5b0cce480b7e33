import { Title } from '@mantine/core';
import type { InstallationProblem } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { stateOf } from '../problems.ts';
import classes from './installation.module.css';
import { StateLabel } from './StateLabel.tsx';

interface Props<Part> {
  title: string;
  /** Null where the server could not tell in time. */
  part: Part | null;
  isWide?: boolean;
  children: (part: Part) => ReactNode;
}

/** A part of the installation: how it does, and its figures. */
export function PartCard<Part extends { problems: InstallationProblem[] }>(props: Props<Part>) {
  const { title, part, isWide = false, children } = props;
  const { t } = useTranslation('installation');
  return (
    <section className={classes.card} data-wide={isWide} aria-label={title}>
      <header className={classes.cardHead}>
        <Title order={2} size="h3">
          {title}
        </Title>
        <StateLabel state={stateOf(part)} />
      </header>
      {part ? children(part) : <p className={classes.hint}>{t('unknown')}</p>}
    </section>
  );
}

/** Figures with their names, one below another. */
export function Figures({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.figures}>
      {rows.map(([name, value]) => (
        <div key={name} className={classes.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
