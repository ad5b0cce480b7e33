import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { StatusDot } from '../../features/controllers/components/StatusDot.tsx';
import { Mono } from '../../shared/ui/Mono.tsx';
import { Marked } from './Marked.tsx';
import classes from './palette.module.css';
import type { ControllerItem, GroupItem, PaletteItem, PlainItem } from './palette-items.ts';

interface Props {
  item: PaletteItem;
  domId: string;
  isActive: boolean;
  typed: string;
}

/** One of the choices. Clicks and the pointer are the list's affair: it finds the option by `data-item`. */
export function PaletteOption({ item, domId, isActive, typed }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <div
      id={domId}
      role="option"
      aria-label={nameOf(item, t)}
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={item.reason !== undefined || undefined}
      className={classes.option}
      data-item={item.id}
    >
      {item.kind === 'controller' && <ControllerContent item={item} typed={typed} />}
      {item.kind === 'group' && <GroupContent item={item} typed={typed} />}
      {item.kind === 'plain' && <PlainContent item={item} typed={typed} />}
    </div>
  );
}

/** What is read aloud: the marks of what was searched for would tear the words apart. */
function nameOf(item: PaletteItem, t: TFunction<'controllers'>): string {
  if (item.kind === 'plain') return [item.label, item.reason].filter(Boolean).join(', ');
  if (item.kind === 'group') {
    const { name, organization, path } = item.group;
    return [name, organization.name, ...path].join(', ');
  }
  const { serialNumber, status, description, organization, group } = item.controller;
  const parts = [serialNumber, t(`status.${status}`), description, organization.name, group?.name];
  return parts.filter(Boolean).join(', ');
}

function ControllerContent({ item: { controller }, typed }: { item: ControllerItem; typed: string }) {
  const { serialNumber, description, organization, group, status } = controller;
  return (
    <>
      <span className={classes.icon}>
        <StatusDot status={status} />
      </span>
      <span className={classes.text}>
        <span className={classes.serial}>
          <Mono>
            <Marked text={serialNumber} typed={typed} />
          </Mono>
        </span>{' '}
        <span className={classes.detail}>
          <Marked text={description} typed={typed} />
        </span>{' '}
        <span className={classes.place}>
          <bdi>{organization.name}</bdi>
          {group && (
            <>
              {' › '}
              <Marked text={group.name} typed={typed} />
            </>
          )}
        </span>
      </span>
      <span className={classes.more} data-actions aria-hidden>
        <IconChevronRight size={16} />
      </span>
    </>
  );
}

function GroupContent({ item: { group }, typed }: { item: GroupItem; typed: string }) {
  return (
    <>
      <span className={classes.icon}>
        <IconFolder size={18} stroke={1.6} />
      </span>
      <span className={classes.text}>
        <span className={classes.label}>
          <Marked text={group.name} typed={typed} />
        </span>{' '}
        <span className={classes.place}>
          <bdi>{[group.organization.name, ...group.path].join(' › ')}</bdi>
        </span>
      </span>
    </>
  );
}

function PlainContent({ item: { label, Icon, keys, reason }, typed }: { item: PlainItem; typed: string }) {
  return (
    <>
      <span className={classes.icon}>
        <Icon size={18} stroke={1.6} />
      </span>
      <span className={classes.text}>
        <span className={classes.label}>
          <Marked text={label} typed={typed} />
        </span>{' '}
        {reason && <span className={classes.place}>{reason}</span>}
      </span>
      {keys && (
        <kbd className={classes.keys} aria-hidden>
          {keys}
        </kbd>
      )}
    </>
  );
}
