import '@xterm/xterm/css/xterm.css';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { encodeBinary, encodeText } from '../terminal/bytes.ts';
import { copySelection } from '../terminal/copy-selection.ts';
import { createTerminal, type TerminalParts, terminalFont } from '../terminal/create-terminal.ts';
import { type ExtraKey, keySequence } from '../terminal/key-sequences.ts';
import { terminalThemes } from '../terminal/terminal-theme.ts';
import type { TerminalSize } from '../terminal/use-terminal-session.ts';
import classes from './terminal.module.css';

export interface TerminalHandle {
  write: (bytes: Uint8Array) => void;
  reset: () => void;
  focus: () => void;
  size: () => TerminalSize;
  press: (key: ExtraKey) => void;
}

interface Props {
  ref: Ref<TerminalHandle>;
  /** Accessible name of the terminal's input. */
  label: string;
  fontSize: number;
  theme: keyof typeof terminalThemes;
  /** Takes no input, neither by keyboard nor by focus. */
  inert: boolean;
  /** What was typed, before it becomes bytes: the place for a held Ctrl. */
  onText: (text: string) => string;
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
  onResize: (size: TerminalSize) => void;
}

/** Where a shell is drawn: xterm in a box that it always fills. */
export function TerminalScreen({ ref, label, fontSize, theme, inert, ...handlers }: Props) {
  const { t } = useTranslation('tunnels');
  const box = useRef<HTMLDivElement>(null);
  const parts = useRef<TerminalParts | undefined>(undefined);
  const latest = useRef(handlers);
  latest.current = handlers;
  const initial = useRef({ fontSize, theme: terminalThemes[theme] });
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
    terminal.attachCustomKeyEventHandler((event) => {
      if (!event.ctrlKey || !event.shiftKey || event.altKey) return true;
      if (event.code === 'KeyC') {
        event.preventDefault(); // else it opens the developer tools
        if (event.type === 'keydown') copySelection(terminal.getSelection());
        return false;
      }
      // The browser's own paste follows: it needs no permission and works on plain http.
      return event.code !== 'KeyV';
    });
    terminal.open(element);
    const observer = new ResizeObserver(() => fit.fit());
    observer.observe(element);
    // Cells are measured with the fallback font until ours is there.
    document.fonts?.load(`${initial.current.fontSize}px ${terminalFont}`).then(
      () => {
        if (parts.current !== made) return;
        terminal.options.fontFamily = `${terminalFont}, monospace`; // another value: measured again
        fit.fit();
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
    parts.current.fit.fit();
  }, [fontSize]);

  useEffect(() => {
    if (parts.current) parts.current.terminal.options.theme = terminalThemes[theme];
  }, [theme]);

  useEffect(() => {
    parts.current?.terminal.textarea?.setAttribute('aria-label', label);
  }, [label]);

  useImperativeHandle(ref, () => ({
    write: (bytes) => {
      try {
        parts.current?.terminal.write(bytes);
      } catch {
        // More than 50 MB wait to be drawn (a runaway `cat`): xterm drops the rest, the shell stays usable.
      }
    },
    reset: () => parts.current?.terminal.reset(),
    focus: () => parts.current?.terminal.focus(),
    size: () => ({ columns: parts.current?.terminal.cols ?? 80, rows: parts.current?.terminal.rows ?? 24 }),
    press: (key) => {
      const terminal = parts.current?.terminal;
      terminal?.input(keySequence(key, terminal.modes.applicationCursorKeysMode));
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
