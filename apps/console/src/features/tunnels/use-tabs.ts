import { useCallback, useRef, useState } from 'react';
import type { TabStatus } from './components/TerminalTab.tsx';

/** Sessions that one page holds: each has its own connection and screen. */
export const maxTabs = 8;

export interface Tab extends TabStatus {
  id: number;
}

const fresh = (id: number): Tab => ({ id, phase: 'login', username: '', resumeToken: undefined });

/** The sessions of a page and which of them is shown; there is always one. */
export function useTabs() {
  const lastId = useRef(1);
  const [tabs, setTabs] = useState<readonly Tab[]>([fresh(1)]);
  const [shown, setShown] = useState(1);

  const open = useCallback(() => {
    if (tabs.length >= maxTabs) return;
    lastId.current += 1;
    setTabs([...tabs, fresh(lastId.current)]);
    setShown(lastId.current);
  }, [tabs]);
  const close = useCallback(
    (id: number) => {
      const place = tabs.findIndex((tab) => tab.id === id);
      const left = tabs.filter((tab) => tab.id !== id);
      if (left.length === 0) return;
      // What the others are may have changed while it was asked for.
      setTabs((current) => current.filter((tab) => tab.id !== id));
      setShown((current) => (current === id ? (left[Math.max(0, place - 1)]?.id ?? 0) : current));
    },
    [tabs],
  );
  const setStatus = useCallback((id: number, status: TabStatus) => {
    setTabs((current) => current.map((tab) => (tab.id === id ? { id, ...status } : tab)));
  }, []);
  /** To the neighbour on either side, around the ends. */
  const step = useCallback(
    (by: 1 | -1) => {
      const place = tabs.findIndex(({ id }) => id === shown);
      const next = tabs[(place + by + tabs.length) % tabs.length];
      if (next) setShown(next.id);
    },
    [tabs, shown],
  );
  return { tabs, shown, show: setShown, open, close, step, setStatus };
}
