import { UnstyledButton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconClipboard } from '../../../shared/icons/IconClipboard.ts';
import { type ExtraKey, type HeldKey, heldKeys, namedKeys, signKeys } from '../terminal/key-sequences.ts';
import classes from './terminal.module.css';

const faces = {
  ...{ escape: 'Esc', tab: 'Tab', up: '↑', down: '↓', left: '←', right: '→' },
  ...{ home: 'Home', end: 'End', pageUp: 'PgUp', pageDown: 'PgDn' },
} as const;

interface Props {
  /** For the next key. */
  held: HeldKey | undefined;
  onHold: (held: HeldKey | undefined) => void;
  onPress: (key: ExtraKey) => void;
  onPaste: (text: string) => void;
}

const heldFaces = { control: 'Ctrl', alt: 'Alt' } as const;

/** A page of plain http has no clipboard, and some browsers let no page read it. */
const canPaste = () => typeof navigator.clipboard?.readText === 'function';

/** The keys a phone's keyboard lacks. Pressing one leaves focus, and with it the keyboard, where it is. */
export function ExtraKeys({ held, onHold, onPress, onPaste }: Props) {
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
      {heldKeys.map((key) => (
        <UnstyledButton
          key={key}
          className={classes.extraKey}
          aria-pressed={held === key}
          onMouseDown={keepFocus}
          onClick={() => onHold(held === key ? undefined : key)}
        >
          {heldFaces[key]}
        </UnstyledButton>
      ))}
      {signKeys.map((sign) => button(sign, sign))}
      {moves.map(named)}
      {canPaste() && (
        <UnstyledButton
          className={classes.extraKey}
          aria-label={t('keys.paste')}
          onMouseDown={keepFocus}
          // Who refuses the browser's question pastes nothing.
          onClick={() => void navigator.clipboard.readText().then(onPaste, () => undefined)}
        >
          <IconClipboard size={18} stroke={1.6} />
        </UnstyledButton>
      )}
    </div>
  );
}
