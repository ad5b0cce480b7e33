import { UnstyledButton } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useTranslation } from 'react-i18next';
import classes from './palette-button.module.css';
import { setPaletteOpened, usePaletteOpened } from './palette-state.ts';
import { isMac, keyNames } from './shortcut.ts';

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
