import type { TFunction } from 'i18next';
import { type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusDot } from '../../features/controllers/components/StatusLabel.tsx';
import { IconChevronRight } from '../../shared/icons/IconChevronRight.ts';
import { IconFolder } from '../../shared/icons/IconFolder.ts';
import { Mono } from '../../shared/ui/Mono.tsx';
import { splitMatches } from './matching.ts';
import palette from './palette.module.css';
import type { ControllerItem, GroupItem, PaletteItem, PaletteSection, PlainItem } from './palette-items.ts';
import classes from './palette-list.module.css';

interface Props {
  id: string;
  sections: readonly PaletteSection[];
  active: PaletteItem | undefined;
  domIdOf: (item: PaletteItem) => string;
  typed: string;
  /** An answer to an earlier text. */
  isStale: boolean;
  onPoint: (item: PaletteItem) => void;
  onRun: (item: PaletteItem) => void;
  onActions: (item: PaletteItem) => void;
}

/** The choices. The focus stays in the field: the pointer only marks and runs them. */
export function PaletteList(props: Props) {
  const { id, sections, active, domIdOf, typed, isStale, onPoint, onRun, onActions } = props;
  const { t } = useTranslation('palette');
  const list = useRef<HTMLDivElement>(null);
  /** The list scrolls under a pointer that rests: that is no choice. */
  const pointer = useRef('');

  useEffect(() => {
    const option = active && document.getElementById(domIdOf(active));
    option?.scrollIntoView({ block: 'nearest' });
    // The heading above the first one is worth seeing.
    if (active && active === sections[0]?.items[0] && list.current) list.current.scrollTop = 0;
  }, [active, sections, domIdOf]);

  const find = ({ target }: MouseEvent) => {
    const { item } = (target as Element).closest<HTMLElement>('[data-item]')?.dataset ?? {}; // of an element's event
    return sections.flatMap(({ items }) => items).find((each) => each.id === item);
  };
  const point = (event: MouseEvent) => {
    const at = `${event.clientX} ${event.clientY}`;
    if (at === pointer.current) return;
    pointer.current = at;
    const item = find(event);
    if (item && item !== active) onPoint(item);
  };
  const click = (event: MouseEvent) => {
    const item = find(event);
    if (!item) return;
    const isActions = (event.target as Element).closest('[data-actions]') !== null; // of an element's event
    (isActions ? onActions : onRun)(item);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
    <div
      ref={list}
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={t('results')}
      aria-busy={isStale}
      className={classes.list}
      data-stale={isStale || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={point}
      onClick={click}
    >
      {sections.map(({ name, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options.
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <div id={`${id}-${name}`} className={classes.heading} role="presentation">
            {t(`section.${name}`)}
          </div>
          {items.map((item) => (
            <PaletteOption
              key={item.id}
              item={item}
              domId={domIdOf(item)}
              isActive={item === active}
              typed={typed}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  item: PaletteItem;
  domId: string;
  isActive: boolean;
  typed: string;
}

/** One of the choices. Clicks and the pointer are the list's affair: it finds the option by `data-item`. */
function PaletteOption({ item, domId, isActive, typed }: OptionProps) {
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
        <kbd className={`${palette.keys} ${classes.keys}`} aria-hidden>
          {keys}
        </kbd>
      )}
    </>
  );
}

/** A text with what was searched for in it. */
function Marked({ text, typed }: { text: string; typed: string }) {
  return (
    <bdi>
      {splitMatches(text, typed).map((part, index) =>
        part.isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name than their place.
          <mark key={index} className={classes.mark}>
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
