import type { KeyboardEvent, RefObject } from 'react';
import type { ActionName } from './use-actions.ts';

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
function readAction({ ctrlKey, metaKey, altKey }: KeyboardEvent): ActionName {
  if (ctrlKey || metaKey) return 'web';
  return altKey ? 'terminal' : 'open';
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
