import { ActionIcon } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconX } from '../../../shared/icons/IconX.ts';
import type { TabStatus } from './TerminalTab.tsx';
import classes from './tabs.module.css';

export interface TabEntry {
  id: number;
  name: string;
  phase: TabStatus['phase'];
}

interface Props {
  tabs: readonly TabEntry[];
  shown: number;
  onShow: (id: number) => void;
  onClose: (id: number) => void;
}

/** The sessions of the page, as soon as there are two. */
export function TerminalTabs({ tabs, shown, onShow, onClose }: Props) {
  const { t } = useTranslation('tunnels');
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const idOf = (id: number) => `${prefix}${id}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is shown
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [shown]);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || event.ctrlKey) return;
    const place = tabs.findIndex(({ id }) => id === shown);
    const next = tabs[(place + step + tabs.length) % tabs.length];
    if (next) onShow(next.id);
    event.preventDefault();
  };
  return (
    <div ref={list} className={classes.tabs}>
      {/* Of the tabs alone: the buttons beside them that close them are none. */}
      <div role="tablist" aria-label={t('tabs.name')} aria-owns={tabs.map(({ id }) => idOf(id)).join(' ')} />
      {tabs.map(({ id, name, phase }) => (
        <div key={id} className={classes.tab} data-shown={id === shown || undefined}>
          <button
            id={idOf(id)}
            type="button"
            role="tab"
            className={classes.name}
            aria-selected={id === shown}
            tabIndex={id === shown ? 0 : -1}
            onClick={() => onShow(id)}
            onKeyDown={handleKey}
          >
            <span className={classes.dot} data-phase={phase} />
            {name}
          </button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('tabs.close', { name })}
            onClick={() => onClose(id)}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
    </div>
  );
}
