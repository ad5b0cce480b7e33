import { limits } from '@pult/contract';
import type { KeyboardEvent, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { tunnelKinds } from '../../features/tunnels/kinds/index.ts';
import { IconArrowLeft } from '../../shared/icons/IconArrowLeft.ts';
import { IconSearch } from '../../shared/icons/IconSearch.ts';
import { IconX } from '../../shared/icons/IconX.ts';
import classes from './palette.module.css';
import type { ActionName, PaletteItem } from './palette-items.ts';
import { enterModifiers } from './palette-state.ts';

interface Props {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (value: string) => void;
  /** Serial number of the controller whose actions are listed. */
  subject: string | undefined;
  onBack: () => void;
  onClose: () => void;
  listId: string;
  hasItems: boolean;
  /** Of the option that the keys act on. */
  activeId: string | undefined;
}

/** Keeps the focus while the list below is walked through. */
export function PaletteField(props: Props) {
  const { ref, value, onChange, subject, onBack, onClose, listId, hasItems, activeId } = props;
  const { t } = useTranslation(['palette', 'shared']);
  const actionsOf = subject && t('actionsOf', { serialNumber: subject });
  return (
    <div className={classes.head}>
      {subject ? (
        <button type="button" className={classes.back} aria-label={t('back')} onClick={onBack}>
          <IconArrowLeft size={18} stroke={1.75} />
        </button>
      ) : (
        <IconSearch size={18} stroke={1.75} className={classes.glass ?? ''} />
      )}
      <input
        ref={ref}
        data-autofocus
        className={classes.field}
        type="text"
        role="combobox"
        aria-label={actionsOf ?? t('title')}
        aria-expanded={hasItems}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder={actionsOf ?? t('placeholder')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={limits.filterLength}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <button
        type="button"
        className={classes.close}
        aria-label={t('close', { ns: 'shared' })}
        onClick={onClose}
      >
        <kbd className={classes.keys}>Esc</kbd>
        <IconX size={18} stroke={1.75} className={classes.cross ?? ''} />
      </button>
    </div>
  );
}

interface FooterProps {
  active: PaletteItem | undefined;
  /** Why the tunnels of the active controller are closed. */
  reason: string | undefined;
  isInActions: boolean;
  /** What has just happened, or why not. */
  notice: string;
}

/** What the keys do now; in its place what there is to say. */
export function PaletteFooter({ active, reason, isInActions, notice }: FooterProps) {
  const { t } = useTranslation(['palette', 'tunnelKinds']);
  const isController = active?.kind === 'controller';
  const tunnelHints = tunnelKinds.flatMap(({ name, modifier }): [string, string, boolean][] => {
    const label = t(`kind.${name}.hint`, { ns: 'tunnelKinds' });
    return modifier ? [[enterModifiers[modifier].keys, label, reason !== undefined]] : [];
  });
  const hints: [string, string, boolean?][] = isController
    ? [['↵', t('hint.open')], ...tunnelHints, ['→', t('hint.actions')]]
    : [['↵', t('hint.run')], isInActions ? ['←', t('hint.back')] : ['Esc', t('hint.close')]];
  return (
    <div className={classes.footer}>
      <div className={classes.hints} aria-hidden>
        {hints.map(([keys, label, isOff]) => (
          <span key={keys} className={classes.hint} data-off={isOff || undefined}>
            <kbd className={classes.keys}>{keys}</kbd> {label}
          </span>
        ))}
      </div>
      <div className={classes.notice} role="status">
        {notice || (isController ? reason : '')}
      </div>
    </div>
  );
}

interface Handlers {
  field: RefObject<HTMLInputElement | null>;
  move: (step: number) => void;
  enter: (name: ActionName) => void;
  /** Undefined where the active item has no actions. */
  showActions: (() => void) | undefined;
  /** Undefined where there is nothing to go back from. */
  goBack: (() => void) | undefined;
  close: () => void;
}

/** What Enter means with its modifiers. */
function readAction(event: KeyboardEvent): ActionName {
  const pressed = (['control', 'alt'] as const).find((name) => enterModifiers[name].isPressed(event));
  return tunnelKinds.find(({ modifier }) => pressed !== undefined && modifier === pressed)?.name ?? 'open';
}

/** The keys of the palette. Those that move the caret keep doing so, except where it cannot move. */
export function createPaletteKeys({ field, move, enter, showActions, goBack, close }: Handlers) {
  const find = (event: KeyboardEvent): (() => void) | undefined => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    const isInField = event.target === field.current;
    switch (event.key) {
      case 'ArrowDown':
        return () => move(1);
      case 'ArrowUp':
        return () => move(-1);
      case 'Enter':
        return isInField ? () => enter(readAction(event)) : undefined;
      case 'ArrowRight':
        return isInField && selectionStart === value.length ? showActions : undefined;
      case 'ArrowLeft':
      case 'Backspace':
        return isInField && selectionEnd === 0 ? goBack : undefined;
      case 'Escape':
        return goBack ?? close;
      default:
        return undefined;
    }
  };
  return (event: KeyboardEvent) => {
    // Enter that chooses a letter of an input method is none of ours.
    const run = event.nativeEvent.isComposing ? undefined : find(event);
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
}
