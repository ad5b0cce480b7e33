import '@xterm/xterm/css/xterm.css';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createTerminal, type TerminalParts, terminalFont } from '../terminal/create-terminal.ts';
import { type ExtraKey, keySequence } from '../terminal/key-sequences.ts';
import { shortcutOf } from '../terminal/shortcuts.ts';
import { searchMarks, terminalThemes } from '../terminal/terminal-theme.ts';
import type { TerminalSize } from '../terminal/use-terminal-session.ts';
import classes from './terminal.module.css';

export interface TerminalHandle {
  /** `ack` is called once the bytes are on the screen. */
  write: (bytes: Uint8Array, ack: () => void) => void;
  reset: () => void;
  focus: () => void;
  size: () => TerminalSize;
  press: (key: ExtraKey) => void;
  copy: () => void;
  paste: (text: string) => void;
  /** Goes to the one above, where the newest output is below; an empty text takes the marks away. */
  find: (text: string, options?: FindOptions) => void;
}

export interface FindOptions {
  direction?: 'up' | 'down';
  /** Stays where it is as long as the text still matches there. */
  isTyping?: boolean;
  caseSensitive?: boolean;
}

/** How many were found, and at which of them the search stands, from 1; 0 where that is not known. */
export interface Found {
  count: number;
  at: number;
}

interface Props {
  ref: Ref<TerminalHandle>;
  /** Accessible name of the terminal's input. */
  label: string;
  fontSize: number;
  scrollback: number;
  theme: keyof typeof terminalThemes;
  /** Takes no input, neither by keyboard nor by focus. */
  inert: boolean;
  /** What was typed, before it becomes bytes: the place for a held Ctrl. */
  onText: (text: string) => string;
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
  onResize: (size: TerminalSize) => void;
  onFound: (found: Found) => void;
}

/** Where a shell is drawn: xterm in a box that it always fills. */
export function TerminalScreen({ ref, label, fontSize, scrollback, theme, inert, ...handlers }: Props) {
  const { t } = useTranslation('tunnels');
  const box = useRef<HTMLDivElement>(null);
  const parts = useRef<TerminalParts | undefined>(undefined);
  const latest = useRef(handlers);
  latest.current = handlers;
  const initial = useRef({ fontSize, scrollback, theme: terminalThemes[theme] });
  const [link, setLink] = useState<string>();

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = createTerminal(initial.current, setLink);
    const { terminal, fit } = made;
    parts.current = made;
    terminal.onData((text) => latest.current.onBytes(encodeText(latest.current.onText(text))));
    terminal.onBinary((text) => latest.current.onBytes(encodeBinary(text)));
    terminal.onResize(({ cols, rows }) => latest.current.onResize({ columns: cols, rows }));
    terminal.onSelectionChange(() => copySelection(terminal.getSelection()));
    // The page has them; the browser's own paste follows, which needs no permission and works on plain http.
    terminal.attachCustomKeyEventHandler((event) => shortcutOf(event) === undefined);
    made.search.onDidChangeResults(({ resultCount, resultIndex }) =>
      latest.current.onFound({ count: resultCount, at: resultIndex + 1 }),
    );
    terminal.open(element);
    // A hidden tab has no size, and its shell keeps the one it had.
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) fit.fit();
    });
    observer.observe(element);
    // Cells are measured with the fallback font until ours is there.
    document.fonts?.load(`${initial.current.fontSize}px ${terminalFont}`).then(
      () => {
        if (parts.current !== made) return;
        terminal.options.fontFamily = `${terminalFont}, monospace`; // another value: measured again
        if (element.clientWidth > 0) fit.fit();
      },
      () => undefined,
    );
    return () => {
      parts.current = undefined;
      observer.disconnect();
      terminal.dispose();
    };
  }, []);

  useEffect(() => {
    if (!parts.current) return;
    parts.current.terminal.options.fontSize = fontSize;
    if (box.current?.clientWidth) parts.current.fit.fit();
  }, [fontSize]);

  useEffect(() => {
    if (parts.current) parts.current.terminal.options.scrollback = scrollback;
  }, [scrollback]);

  useEffect(() => {
    if (parts.current) parts.current.terminal.options.theme = terminalThemes[theme];
  }, [theme]);

  useEffect(() => {
    parts.current?.terminal.textarea?.setAttribute('aria-label', label);
  }, [label]);

  useImperativeHandle(ref, () => ({
    write: (bytes, ack) => parts.current?.terminal.write(bytes, ack),
    reset: () => parts.current?.terminal.reset(),
    focus: () => parts.current?.terminal.focus(),
    size: () => ({ columns: parts.current?.terminal.cols ?? 80, rows: parts.current?.terminal.rows ?? 24 }),
    press: (key) => {
      const terminal = parts.current?.terminal;
      terminal?.input(keySequence(key, terminal.modes.applicationCursorKeysMode));
    },
    paste: (text) => parts.current?.terminal.paste(text),
    copy: () => copySelection(parts.current?.terminal.getSelection() ?? ''),
    find(text, { direction = 'up', isTyping = false, caseSensitive = false } = {}) {
      const search = parts.current?.search;
      if (!search) return;
      if (text === '') {
        search.clearDecorations();
        parts.current?.terminal.clearSelection();
        return;
      }
      const options = { caseSensitive, incremental: isTyping, decorations: searchMarks[theme] };
      if (direction === 'up') search.findPrevious(text, options);
      else search.findNext(text, options);
    },
  }));

  return (
    <div
      className={classes.screen}
      style={{ backgroundColor: terminalThemes[theme].background }}
      inert={inert}
    >
      <div ref={box} className={classes.box} />
      {link !== undefined && (
        <div className={classes.link}>
          {t('terminal.linkHint')} <bdi>{link}</bdi>
        </div>
      )}
    </div>
  );
}

const encoder = new TextEncoder();

/** What a person typed, as the device's UTF-8. */
function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** xterm's mouse reports: one byte in each character, not UTF-8. */
function encodeBinary(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

/**
 * Puts a text on the clipboard inside a user's own gesture. Plain http on a LAN has no clipboard API: there the
 * old way works, by answering the `copy` event ourselves, which leaves focus and selection where they are.
 */
function copySelection(text: string): void {
  if (!text) return;
  if (navigator.clipboard) {
    // Refused without focus or permission: nothing to tell, the selection is still there to copy by keys.
    navigator.clipboard.writeText(text).catch(() => copyByEvent(text));
    return;
  }
  copyByEvent(text);
}

function copyByEvent(text: string): void {
  const answer = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', answer, { capture: true, once: true });
  document.execCommand?.('copy');
  document.removeEventListener('copy', answer, { capture: true });
}
