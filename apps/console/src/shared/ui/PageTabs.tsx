import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page-tabs.module.css';

interface PageTab {
  /** As the address has it. */
  name: string;
  label: string;
  content: ReactNode;
}

interface Props {
  /** What the tabs are of, for those who do not see them. */
  label: string;
  tabs: readonly [PageTab, ...PageTab[]];
  /** The name of the open one; anything unknown is the first. */
  current: string | undefined;
  /** Undefined for the first, which needs no name in the address. */
  onOpen: (name: string | undefined) => void;
}

/** The parts of a page, of which one is shown and only that one mounted. On a phone they scroll sideways. */
export function PageTabs({ label, tabs, current, onOpen }: Props) {
  const [first] = tabs;
  const { name } = tabs.find((tab) => tab.name === current) ?? first;
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [name]);
  return (
    <Tabs
      value={name}
      onChange={(next) => onOpen(next === first.name || next === null ? undefined : next)}
      keepMounted={false}
    >
      <Tabs.List ref={list} aria-label={label} className={classes.tabs ?? ''}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.name} value={tab.name}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.name} value={tab.name} className={classes.panel ?? ''}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
