import type { Controller } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './controller-cards.module.css';
import { LastSeen } from './LastSeen.tsx';
import { QuickActions } from './QuickActions.tsx';
import { StatusMark } from './StatusMark.tsx';

interface Props {
  controllers: readonly Controller[];
  isStale: boolean;
}

/** The list where a table has no room. */
export function ControllerCards({ controllers, isStale }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <ul className={classes.cards} aria-label={t('list.table')} data-stale={isStale}>
      {controllers.map((controller) => {
        const { serialNumber, organization, description, group, firmwareVersion, status } = controller;
        const facts = [group?.name, firmwareVersion].filter(Boolean).join(' · ');
        return (
          <li key={serialNumber} className={classes.card}>
            <div className={classes.text}>
              <Link className={classes.serial} to={paths.controller(organization.id, serialNumber)}>
                <Mono>{serialNumber}</Mono>
              </Link>
              {description && <span className={classes.description}>{description}</span>}
              <span className={classes.facts}>
                <StatusMark status={status} />
                {status === 'offline' && <LastSeen controller={controller} />}
              </span>
              {facts && <span className={classes.facts}>{facts}</span>}
            </div>
            <QuickActions controller={controller} size="xl" />
          </li>
        );
      })}
    </ul>
  );
}
