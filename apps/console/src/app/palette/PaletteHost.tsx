import { UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { IconSearch } from '../../shared/icons/IconSearch.ts';
import { loadPart } from '../../shared/page/load-part.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import classes from './palette-button.module.css';
import {
  type EarlyInput,
  isMac,
  isPaletteOpened,
  isPaletteShortcut,
  keyNames,
  rememberRecent,
  setPaletteOpened,
  usePaletteOpened,
} from './palette-state.ts';

/** Opens the palette by its shortcut, and loads it when it is first wanted. */
export function PaletteHost() {
  const { t } = useTranslation('shared');
  const opened = usePaletteOpened();
  const [Palette, setPalette] = useState<ComponentType<EarlyInput>>();
  const early = useEarlyInput(opened && !Palette, opened);
  useRememberRecent();

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !isPaletteShortcut(event)) return;
      event.preventDefault();
      setPaletteOpened(!isPaletteOpened());
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      // It goes with the pages that have it.
      setPaletteOpened(false);
    };
  }, []);

  useEffect(() => {
    if (!opened || Palette) return;
    loadPart(() => import('./Palette.tsx')).then(
      (part) => setPalette(() => part.Palette),
      () => {
        setPaletteOpened(false);
        showToast({ severity: 'error', summary: t('unreachable'), id: 'server-unreachable' });
      },
    );
  }, [opened, Palette, t]);

  return opened && Palette ? <Palette {...early} /> : null;
}

const nothing: EarlyInput = { text: '', isEntered: false };

/** What is typed while the palette is loaded: by then who opened it has begun, a scanner of serial numbers has ended. */
function useEarlyInput(isLoading: boolean, opened: boolean): EarlyInput {
  const [input, setInput] = useState(nothing);
  useEffect(() => {
    if (!opened) setInput(nothing);
  }, [opened]);
  useEffect(() => {
    if (!isLoading) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, isComposing, ctrlKey, metaKey, altKey } = event;
      if (isComposing || ctrlKey || metaKey || altKey) return;
      if (key === 'Escape') setPaletteOpened(false);
      else if (key === 'Enter') setInput(({ text }) => ({ text, isEntered: true }));
      else if (key === 'Backspace') setInput(({ text }) => ({ text: text.slice(0, -1), isEntered: false }));
      else if (key.length === 1) setInput(({ text }) => ({ text: text + key, isEntered: false }));
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isLoading]);
  return input;
}

/** Looks like a search field, and is the way to the palette without a keyboard; on a phone an icon. */
export function PaletteButton() {
  const { t } = useTranslation('app');
  const opened = usePaletteOpened();
  return (
    <UnstyledButton
      className={classes.button}
      aria-label={t('search')}
      aria-haspopup="dialog"
      aria-expanded={opened}
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      onClick={() => setPaletteOpened(true)}
    >
      <IconSearch size={16} stroke={1.75} />
      <span className={classes.label}>{t('search')}</span>
      <kbd className={classes.keys} aria-hidden>
        {keyNames.palette}
      </kbd>
    </UnstyledButton>
  );
}

/** Notes each controller whose page is opened, also for a palette that was opened while the page came. */
function useRememberRecent(): void {
  const client = useQueryClient();
  const { organizationId, serialNumber } = useParams({ strict: false });
  const { data: user } = useQuery(currentUserQuery);
  const userId = user?.id;
  useEffect(() => {
    if (!userId || !organizationId || !serialNumber) return;
    rememberRecent(userId, serialNumber.toUpperCase());
    void client.invalidateQueries({ queryKey: queryKeys.controllers.recent });
  }, [client, userId, organizationId, serialNumber]);
}
