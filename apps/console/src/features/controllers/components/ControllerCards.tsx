import type { Controller } from '@pult/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ControllerCard } from './ControllerCard.tsx';
import classes from './controller-cards.module.css';
import { useRowWindow } from './use-row-window.ts';

/** Pixels of a card with all its lines, where it has not been measured yet. */
const likelyHeight = 88;

interface Props {
  controllers: readonly Controller[];
  isStale: boolean;
  /** Serial numbers, of these controllers. */
  selected: readonly string[];
  onSelect: (serialNumbers: readonly string[]) => void;
}

/** The list where a table has no room. */
export function ControllerCards({ controllers, isStale, selected, onSelect }: Props) {
  const { t } = useTranslation('controllers');
  const list = useRef<HTMLUListElement>(null);
  const options = { rowHeight: likelyHeight, isMeasured: true };
  const { visible, before, after, measure } = useRowWindow(controllers, list, options);
  const chosen = new Set(selected);
  const selectOne = (serialNumber: string, isSelected: boolean) =>
    onSelect(isSelected ? [...selected, serialNumber] : selected.filter((other) => other !== serialNumber));
  return (
    <div className={classes.frame} data-stale={isStale}>
      <ul
        ref={list}
        className={classes.cards}
        aria-label={t('list.table')}
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {visible.map(({ row: controller, index }) => (
          <li
            key={controller.serialNumber}
            ref={measure}
            data-index={index}
            aria-setsize={controllers.length}
            aria-posinset={index + 1}
            className={classes.card}
            data-selected={chosen.has(controller.serialNumber) || undefined}
          >
            <ControllerCard
              controller={controller}
              isSelected={chosen.has(controller.serialNumber)}
              onSelect={(isSelected) => selectOne(controller.serialNumber, isSelected)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
