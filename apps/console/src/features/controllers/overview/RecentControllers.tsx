import type { FleetOverview } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './overview.module.css';

interface Props {
  title: string;
  /** Said when there are none. */
  none: string;
  controllers: FleetOverview['recentlyLost'];
  organizationId: string;
  /** The list that these are the first of; undefined where it has no such order. */
  search?: Record<string, string>;
  when: 'lastSeenAt' | 'activatedAt';
}

/** The last few controllers that something happened to. */
export function RecentControllers({ title, none, controllers, organizationId, search, when }: Props) {
  const { t } = useTranslation('organizations');
  const { formatDate } = useFormat();
  return (
    <Section
      title={title}
      actions={
        search &&
        controllers.length > 0 && (
          <Link to={paths.controllers(organizationId)} search={search} className={classes.all}>
            {t('overview.openList')}
          </Link>
        )
      }
    >
      {controllers.length === 0 ? <p className={classes.none}>{none}</p> : null}
      <ul className={classes.list}>
        {controllers.map(({ serialNumber, description, ...times }) => {
          const at = times[when];
          return (
            <li key={serialNumber}>
              <Link to={paths.controller(organizationId, serialNumber)} className={classes.recent}>
                <Mono>{serialNumber}</Mono>
                <span className={classes.description}>{description}</span>
                {at !== null && <time dateTime={at}>{formatDate(at)}</time>}
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
