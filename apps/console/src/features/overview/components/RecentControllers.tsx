import type { Overview } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../shared/paths.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './overview.module.css';

interface Props {
  title: string;
  /** Said when there are none. */
  none: string;
  controllers: Overview['recentlyLost'];
  organizationId: string;
  /** The list that these are the first of; undefined where it has no such order. */
  all?: { text: string; search: Record<string, string> };
  when: 'lastSeenAt' | 'activatedAt';
}

/** The last few controllers that something happened to. */
export function RecentControllers({ title, none, controllers, organizationId, all, when }: Props) {
  return (
    <Section
      title={title}
      actions={
        all &&
        controllers.length > 0 && (
          <Link to={paths.controllers(organizationId)} search={all.search} className={classes.all}>
            {all.text}
          </Link>
        )
      }
    >
      {controllers.length === 0 && <p className={classes.none}>{none}</p>}
      <ul className={classes.list}>
        {controllers.map(({ serialNumber, description, group, ...times }) => {
          const at = times[when];
          return (
            <li key={serialNumber}>
              <Link to={paths.controller(organizationId, serialNumber)} className={classes.recent}>
                <span className={classes.what}>
                  {description ? <bdi>{description}</bdi> : <Mono>{serialNumber}</Mono>}
                </span>
                {at !== null && <Ago time={at} className={classes.ago} />}
                <span className={classes.of}>
                  {description && <Mono>{serialNumber}</Mono>}
                  {description && group && ' · '}
                  {group && <bdi>{group.name}</bdi>}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
