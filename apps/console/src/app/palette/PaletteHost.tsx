import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPart } from '../../shared/page/load-part.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { isPaletteOpened, setPaletteOpened, usePaletteOpened } from './palette-state.ts';
import { isPaletteShortcut } from './shortcut.ts';
import { useRememberRecent } from './use-remember-recent.ts';

/** Opens the palette by its shortcut, and loads it when it is first wanted. */
export function PaletteHost() {
  const { t } = useTranslation('shared');
  const opened = usePaletteOpened();
  const [Palette, setPalette] = useState<ComponentType>();
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

  return opened && Palette ? <Palette /> : null;
}
