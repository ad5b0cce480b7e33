import { type RefObject, useEffect } from 'react';

/** How much of the window's top belongs to the toasts: pages, dialogs and what sticks to the top begin below it. */
const room = '--pult-toast-room';
const gap = 4;
/** Of the window's height: many toasts leave a phone's dialog enough to go on with. */
const mostOfWindow = 0.4;
/** How often it is looked at what moves without changing the document: a drawer that slides in. */
const lookAgainMs = 250;

const pressable = [
  ...['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex="0"]'],
  ...['button', 'link', 'tab', 'option', 'menuitem'].map((role) => `[role="${role}"]`),
].join();

/** Of an open dialog only: the page behind it is out of reach. */
function isAnythingUnder(toasts: DOMRect, area: Element): boolean {
  const scope = [...document.querySelectorAll('[aria-modal="true"]')].at(-1) ?? document;
  return [...scope.querySelectorAll(pressable)].some((element) => {
    if (area.contains(element)) return false;
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    const isBeside =
      right <= toasts.left || left >= toasts.right || bottom <= toasts.top || top >= toasts.bottom;
    return width > 0 && height > 0 && !isBeside;
  });
}

/** A drag whose source has left the document ends without a `dragend`; no pointer moves while there is one. */
const dragEnds = ['dragend', 'drop', 'pointermove'] as const;

/**
 * While toasts would lie over something to press, the page moves below them; where they cover nothing, it rests. Looked
 * at when toasts come and go, when the page under them changes, and again and again while they are there; but while
 * something is dragged, the page stays where it is, so that nothing is dropped on what has moved under the pointer.
 */
export function useToastRoom(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const shown = area.current;
    if (!shown) return;
    const { style } = document.documentElement;
    let isTaken = false;
    let isDragging = false;
    const look = () => {
      if (isDragging) return;
      const box = shown.querySelector('.Toastify__toast-container')?.getBoundingClientRect();
      // A page changes often, and nobody else has to be told.
      if (box) {
        page.observe(document.body, everything);
        again ??= setInterval(look, lookAgainMs);
      } else rest();
      isTaken = !!box && box.height > 0 && (isTaken || isAnythingUnder(box, shown));
      if (isTaken && box) {
        const height = Math.min(box.bottom + gap, window.innerHeight * mostOfWindow);
        style.setProperty(room, `${Math.ceil(height)}px`);
      } else style.removeProperty(room);
    };
    const rest = () => {
      page.disconnect();
      clearInterval(again);
      again = undefined;
    };
    let again: ReturnType<typeof setInterval> | undefined;
    const everything = { childList: true, subtree: true };
    const page = new MutationObserver(look);
    const toasts = new MutationObserver(look);
    toasts.observe(shown, everything);
    const startDrag = () => {
      isDragging = true;
    };
    const endDrag = () => {
      if (!isDragging) return;
      isDragging = false;
      look();
    };
    // Before anybody who keeps the event for himself.
    window.addEventListener('dragstart', startDrag, true);
    for (const end of dragEnds) window.addEventListener(end, endDrag, true);
    return () => {
      window.removeEventListener('dragstart', startDrag, true);
      for (const end of dragEnds) window.removeEventListener(end, endDrag, true);
      toasts.disconnect();
      rest();
      style.removeProperty(room);
    };
  }, [area]);
}
