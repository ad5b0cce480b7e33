import { UnstyledButton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type ExtraKey, extraKeys } from '../terminal/key-sequences.ts';
import classes from './terminal.module.css';

const faces = { escape: 'Esc', tab: 'Tab', up: '↑', down: '↓', left: '←', right: '→' } as const;

interface Props {
  controlHeld: boolean;
  onControlToggle: () => void;
  onPress: (key: ExtraKey) => void;
}

/** The keys a phone's keyboard lacks. Pressing one leaves focus, and with it the keyboard, where it is. */
export function ExtraKeys({ controlHeld, onControlToggle, onPress }: Props) {
  const { t } = useTranslation('tunnels');
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  const [escapeKey, tabKey, ...arrows] = extraKeys;
  const button = (key: ExtraKey) => (
    <UnstyledButton
      key={key}
      className={classes.extraKey}
      aria-label={t(`keys.${key}`)}
      onMouseDown={keepFocus}
      onClick={() => onPress(key)}
    >
      {faces[key]}
    </UnstyledButton>
  );
  return (
    <div className={classes.extraKeys} role="toolbar" aria-label={t('keys.name')}>
      {[escapeKey, tabKey].map(button)}
      <UnstyledButton
        className={classes.extraKey}
        aria-pressed={controlHeld}
        onMouseDown={keepFocus}
        onClick={onControlToggle}
      >
        Ctrl
      </UnstyledButton>
      {arrows.map(button)}
    </div>
  );
}
