import { UnstyledButton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type ExtraKey, namedKeys, signKeys } from '../terminal/key-sequences.ts';
import classes from './terminal.module.css';

const faces = {
  ...{ escape: 'Esc', tab: 'Tab', up: '↑', down: '↓', left: '←', right: '→' },
  ...{ home: 'Home', end: 'End', pageUp: 'PgUp', pageDown: 'PgDn' },
} as const;

interface Props {
  controlHeld: boolean;
  onControlToggle: () => void;
  onPress: (key: ExtraKey) => void;
}

/** The keys a phone's keyboard lacks. Pressing one leaves focus, and with it the keyboard, where it is. */
export function ExtraKeys({ controlHeld, onControlToggle, onPress }: Props) {
  const { t } = useTranslation('tunnels');
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  const [escapeKey, tabKey, ...moves] = namedKeys;
  const button = (key: ExtraKey, face: string, name?: string) => (
    <UnstyledButton
      key={key}
      className={classes.extraKey}
      aria-label={name}
      onMouseDown={keepFocus}
      onClick={() => onPress(key)}
    >
      {face}
    </UnstyledButton>
  );
  const named = (key: (typeof namedKeys)[number]) => button(key, faces[key], t(`keys.${key}`));
  return (
    <div className={classes.extraKeys} role="toolbar" aria-label={t('keys.name')}>
      {[escapeKey, tabKey].map(named)}
      <UnstyledButton
        className={classes.extraKey}
        aria-pressed={controlHeld}
        onMouseDown={keepFocus}
        onClick={onControlToggle}
      >
        Ctrl
      </UnstyledButton>
      {signKeys.map((sign) => button(sign, sign))}
      {moves.map(named)}
    </div>
  );
}
