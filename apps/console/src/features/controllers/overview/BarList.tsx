import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './overview.module.css';

export interface Bar {
  key: string;
  name: string;
  count: number;
  countOnline: number;
  /** The list's filter for these controllers; undefined where there is none. */
  search: Record<string, string> | undefined;
}

interface Props {
  title: string;
  bars: readonly Bar[];
  organizationId: string;
}

/** Shown before one asks for all: an organization may have thousands of groups. */
const shownAtFirst = 10;

/** Parts of the fleet with their size against the greatest, and how much of each is online. */
export function BarList({ title, bars, organizationId }: Props) {
  const { t } = useTranslation('organizations');
  const { formatNumber } = useFormat();
  const [isWhole, setIsWhole] = useState(false);
  const greatest = bars.reduce((most, { count }) => Math.max(most, count), 1);
  const hidden = isWhole ? 0 : Math.max(0, bars.length - shownAtFirst);
  return (
    <Section title={title}>
      <ul className={classes.list}>
        {bars.slice(0, bars.length - hidden).map(({ key, name, count, countOnline, search }) => {
          const content = (
            <>
              <span className={classes.name}>
                <bdi>{name}</bdi>
              </span>{' '}
              <span className={classes.value}>{formatNumber(count)}</span>{' '}
              <span className={classes.online}>{t('online', { formatted: formatNumber(countOnline) })}</span>
              <span className={classes.track} aria-hidden>
                <span className={classes.whole} style={{ width: `${(100 * count) / greatest}%` }}>
                  <span
                    className={classes.part}
                    style={{ width: `${count === 0 ? 0 : (100 * countOnline) / count}%` }}
                  />
                </span>
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
      {hidden > 0 && (
        <Button variant="subtle" size="xs" onClick={() => setIsWhole(true)}>
          {t('overview.showAll', { formatted: formatNumber(bars.length) })}
        </Button>
      )}
    </Section>
  );
}
