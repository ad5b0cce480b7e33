import { useComputedColorScheme } from '@mantine/core';
import { type ComponentProps, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { NoSuchController } from '../components/NoSuchController.tsx';
import { ShortcutsDialog } from '../components/ShortcutsDialog.tsx';
import { TerminalBar } from '../components/TerminalBar.tsx';
import { type TabHandle, type TabStatus, TerminalTab } from '../components/TerminalTab.tsx';
import { TerminalTabs } from '../components/TerminalTabs.tsx';
import type { ViewSettings } from '../components/TerminalView.tsx';
import classes from '../components/terminal.module.css';
import { type Shortcut, useShortcuts } from '../terminal/shortcuts.ts';
import {
  fontSizes,
  loadFontSize,
  loadScrollback,
  saveFontSize,
  saveScrollback,
} from '../terminal/terminal-preferences.ts';
import { useSshAccess } from '../use-ssh-access.ts';
import { maxTabs, useTabs } from '../use-tabs.ts';

/** Asks before the browser leaves: Ctrl+W deletes a word in a shell, and closes a page. */
function useLeaveGuard(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}

/** Shells on a controller in the whole window, one shown at a time. */
export function TerminalPage({ serialNumber }: { serialNumber: string }) {
  const { t } = useTranslation('tunnels');
  useDocumentTitle(t('terminal.title', { serialNumber }));
  const theme = useComputedColorScheme('dark');
  const height = useVisibleHeight();
  const view = useView();
  const access = useSshAccess(serialNumber);
  const { tabs, shown, ...sessions } = useTabs();
  const handles = useRef(new Map<number, TabHandle>());
  const [searching, setSearching] = useState<number>();
  const [isFilesOpen, setFilesOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);

  const current = tabs.find(({ id }) => id === shown);
  const phase = current?.phase ?? 'login';
  const isRunning = (id: number) =>
    tabs.some((tab) => tab.id === id && (tab.phase === 'ready' || tab.phase === 'lost'));
  useLeaveGuard(tabs.some(({ id }) => isRunning(id)));
  const named = tabs.map((tab) => ({ ...tab, name: `${tab.id}: ${tab.username || t('tabs.unnamed')}` }));
  const handle = () => handles.current.get(shown);
  const close = (id: number) => {
    if (!isRunning(id)) return sessions.close(id);
    confirm({
      title: t('tabs.closeTitle'),
      text: t('tabs.closeText', { name: named.find((tab) => tab.id === id)?.name ?? '' }),
      action: t('tabs.closeConfirm'),
      run: () => sessions.close(id),
    });
  };

  const actions: Partial<Record<Shortcut, () => void>> = {
    copy: () => handle()?.copy(),
    search: () => phase !== 'login' && setSearching(shown),
    newSession: sessions.open,
    previousSession: () => sessions.step(-1),
    nextSession: () => sessions.step(1),
    larger: () => view.onFontSize(view.fontSize + 1),
    smaller: () => view.onFontSize(view.fontSize - 1),
    help: () => setHelpOpen(true),
  };
  useShortcuts(actions);

  // A shell that was there stays in sight, with how it ended.
  if (access.isMissing && tabs.every((tab) => tab.phase === 'login'))
    return <NoSuchController serialNumber={serialNumber} />;
  return (
    <main className={classes.page} style={height === undefined ? undefined : { height }}>
      <TerminalBar
        serialNumber={serialNumber}
        description={access.controller?.description ?? ''}
        backTo={
          access.controller
            ? paths.controller(access.controller.organization.id, serialNumber)
            : paths.findController(serialNumber)
        }
        phase={phase}
        view={view}
        isFilesOpen={isFilesOpen}
        isFull={tabs.length >= maxTabs}
        onSearch={() => setSearching(shown)}
        onFiles={() => setFilesOpen(!isFilesOpen)}
        onNewSession={sessions.open}
        onShortcuts={() => setHelpOpen(true)}
        onDisconnect={() => handle()?.disconnect()}
      />
      {tabs.length > 1 && <TerminalTabs tabs={named} shown={shown} onShow={sessions.show} onClose={close} />}
      {tabs.map(({ id }) => (
        <StatusTab
          key={id}
          id={id}
          handles={handles.current}
          onStatus={sessions.setStatus}
          serialNumber={serialNumber}
          access={access}
          isShown={id === shown}
          isSearching={id === searching}
          onSearchClose={() => setSearching(undefined)}
          fontSize={view.fontSize}
          scrollback={view.scrollback}
          theme={theme}
          isFilesOpen={isFilesOpen}
          onFilesClose={() => setFilesOpen(false)}
        />
      ))}
      <ShortcutsDialog opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </main>
  );
}

interface Props extends Omit<ComponentProps<typeof TerminalTab>, 'ref' | 'onStatus'> {
  id: number;
  handles: Map<number, TabHandle>;
  onStatus: (id: number, status: TabStatus) => void;
}

/** A tab that the page knows by its number. */
function StatusTab({ id, handles, onStatus, ...props }: Props) {
  const keep = useCallback(
    (handle: TabHandle | null) => {
      if (handle) handles.set(id, handle);
      else handles.delete(id);
    },
    [id, handles],
  );
  const tell = useCallback((status: TabStatus) => onStatus(id, status), [id, onStatus]);
  return <TerminalTab ref={keep} onStatus={tell} {...props} />;
}

/** The height that a phone's on-screen keyboard leaves free, as CSS; undefined where it is not known. */
function useVisibleHeight(): string | undefined {
  const [height, setHeight] = useState<string>();
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const update = () => setHeight(`${Math.round(viewport.height)}px`);
    update();
    viewport.addEventListener('resize', update);
    return () => viewport.removeEventListener('resize', update);
  }, []);
  return height;
}

/** How terminals look in this browser, remembered. */
export function useView(): ViewSettings {
  const [fontSize, setFontSize] = useState(loadFontSize);
  const [scrollback, setScrollback] = useState(loadScrollback);
  return {
    fontSize,
    onFontSize(size) {
      if (size < fontSizes.min || size > fontSizes.max) return;
      setFontSize(size);
      saveFontSize(size);
    },
    scrollback,
    onScrollback(lines) {
      setScrollback(lines);
      saveScrollback(lines);
    },
  };
}
