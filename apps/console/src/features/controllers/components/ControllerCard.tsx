import type { Controller } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { UpdateSign } from './AgentVersion.tsx';
import classes from './controller-cards.module.css';
import { GroupName } from './GroupName.tsx';
import { LastSeen } from './LastSeen.tsx';
import { QuickActions } from './QuickActions.tsx';
import { SelectRow } from './Selection.tsx';
import { StatusLabel } from './StatusLabel.tsx';

interface Props {
  controller: Controller;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}

export function ControllerCard({ controller, isSelected, onSelect }: Props) {
  const { serialNumber, organization, description, group, status, detachedAt } = controller;
  const to = paths.controller(organization.id, serialNumber);
  return (
    <>
      {/* As large as a finger. */}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box in it has its own name */}
      <label className={classes.select}>
        <SelectRow serialNumber={serialNumber} isSelected={isSelected} size="sm" onSelect={onSelect} />
      </label>
      <div className={classes.text}>
        {/* What people know it by leads, as in the table. */}
        {description && (
          <Link className={classes.name} to={to}>
            <bdi>{description}</bdi>
          </Link>
        )}
        <span className={classes.details}>
          <StatusLabel status={status} isDetached={detachedAt !== null} />
          {status === 'offline' && <LastSeen controller={controller} />}
          <UpdateSign controller={controller} />
        </span>
        <span className={classes.details}>
          <Link
            className={description ? classes.serial : classes.name}
            to={to}
            // One stop of a card is enough.
            tabIndex={description ? -1 : undefined}
          >
            <Mono>{serialNumber}</Mono>
          </Link>
          {group && (
            <span className={classes.line}>
              <GroupName group={group} />
            </span>
          )}
        </span>
      </div>
      <QuickActions controller={controller} size="xl" />
    </>
  );
}
