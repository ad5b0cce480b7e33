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
  const { serialNumber, organization, description, group, firmwareVersion, status, detachedAt } = controller;
  return (
    <>
      {/* As large as a finger. */}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box in it has its own name */}
      <label className={classes.select}>
        <SelectRow serialNumber={serialNumber} isSelected={isSelected} size="sm" onSelect={onSelect} />
      </label>
      <div className={classes.text}>
        <Link className={classes.serial} to={paths.controller(organization.id, serialNumber)}>
          <Mono>{serialNumber}</Mono>
        </Link>
        {description && <bdi className={classes.description}>{description}</bdi>}
        <span className={classes.details}>
          <StatusLabel status={status} isDetached={detachedAt !== null} />
          {status === 'offline' && <LastSeen controller={controller} />}
          <UpdateSign controller={controller} />
        </span>
        {(group || firmwareVersion) && (
          <span className={classes.line}>
            {group && <GroupName group={group} />}
            {group && firmwareVersion && ' · '}
            {firmwareVersion && <bdi>{firmwareVersion}</bdi>}
          </span>
        )}
      </div>
      <QuickActions controller={controller} size="xl" />
    </>
  );
}
