import { type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PaletteOption } from './PaletteOption.tsx';
import classes from './palette.module.css';
import type { PaletteItem, PaletteSection } from './palette-items.ts';

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
