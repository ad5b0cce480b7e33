import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITerminalOptions, Terminal } from '@xterm/xterm';

export const terminalFont = '"JetBrains Mono Variable", ui-monospace, "DejaVu Sans Mono", Menlo, monospace';

/** Sequences with which a program may reach past the screen: the clipboard (52), notifications and files (9, 777, 1337). */
const outwardSequences = [9, 52, 777, 1337];

export interface TerminalParts {
  terminal: Terminal;
  fit: FitAddon;
  search: SearchAddon;
}

/**
 * A terminal that can only draw. Its output belongs to the device: no clipboard, no window operations, no title,
 * and a link opens only on Ctrl+click (a tap on a touch screen), only to the web. `onLinkHover` gets the true
 * address of the link under the pointer, since OSC 8 lets a program show another.
 */
export function createTerminal(
  options: Pick<ITerminalOptions, 'fontSize' | 'theme' | 'scrollback'>,
  onLinkHover: (address: string | undefined) => void,
): TerminalParts {
  const activate = (event: MouseEvent, text: string) => {
    const deliberate = event.ctrlKey || event.metaKey || window.matchMedia('(hover: none)').matches;
    if (deliberate) openLink(text);
  };
  const hover = (_: MouseEvent, text: string) => onLinkHover(safeLink(text));
  const leave = () => onLinkHover(undefined);

  const terminal = new Terminal({
    ...options,
    fontFamily: terminalFont,
    cursorBlink: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    minimumContrastRatio: 4.5,
    screenReaderMode: false,
    allowProposedApi: true, // marks of what a search has found
    macOptionIsMeta: true,
    linkHandler: { activate, hover, leave, allowNonHttpProtocols: false },
  });
  for (const sequence of outwardSequences) terminal.parser.registerOscHandler(sequence, () => true);

  const fit = new FitAddon();
  terminal.loadAddon(fit);
  const search = new SearchAddon({ highlightLimit: 1_000 });
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon(activate, { hover, leave }));
  return { terminal, fit, search };
}

/**
 * The address of a link in a terminal's output if it may be opened. The output belongs to the device, so a link
 * may only lead to a web page: never `javascript:`, `data:`, `file:` or an application's own scheme.
 */
export function safeLink(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined;
  try {
    const url = new URL(text);
    // A name before the host (https://bank.example@evil.example) is only ever there to deceive.
    return url.username || url.password ? undefined : url.href;
  } catch {
    return undefined;
  }
}

/** Opens it in a tab that knows nothing of this one. */
export function openLink(text: string): void {
  const address = safeLink(text);
  if (address) window.open(address, '_blank', 'noopener,noreferrer');
}
