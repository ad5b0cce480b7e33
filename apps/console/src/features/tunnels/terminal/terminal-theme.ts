import type { ITheme } from '@xterm/xterm';

// Every colour but black/white on its own background keeps a contrast of at least 4.5:1.
const dark: ITheme = {
  background: '#0e1214',
  foreground: '#d6dde0',
  cursor: '#4fc3b4',
  cursorAccent: '#0e1214',
  selectionBackground: '#2f5e5a99',
  scrollbarSliderBackground: '#ffffff1f',
  scrollbarSliderHoverBackground: '#ffffff38',
  scrollbarSliderActiveBackground: '#ffffff52',
  black: '#2a3236',
  red: '#f2777a',
  green: '#7fca8d',
  yellow: '#e0b860',
  blue: '#74aef0',
  magenta: '#cf96e0',
  cyan: '#5fc8c4',
  white: '#c8d0d3',
  brightBlack: '#839096',
  brightRed: '#ff9b9e',
  brightGreen: '#a2e3ae',
  brightYellow: '#f3d58c',
  brightBlue: '#9cc8fb',
  brightMagenta: '#e2b8ef',
  brightCyan: '#8fe3df',
  brightWhite: '#ffffff',
};

const light: ITheme = {
  background: '#fbfcfc',
  foreground: '#22292c',
  cursor: '#0b7468',
  cursorAccent: '#fbfcfc',
  selectionBackground: '#0b746833',
  scrollbarSliderBackground: '#00000026',
  scrollbarSliderHoverBackground: '#00000040',
  scrollbarSliderActiveBackground: '#0000005c',
  black: '#22292c',
  red: '#b3261e',
  green: '#1c6e33',
  yellow: '#7a5a00',
  blue: '#1b5fae',
  magenta: '#8a3aa0',
  cyan: '#0a6b68',
  white: '#5d686d',
  brightBlack: '#667177',
  brightRed: '#c62f27',
  brightGreen: '#24803d',
  brightYellow: '#876400',
  brightBlue: '#2a6fc1',
  brightMagenta: '#9a49b0',
  brightCyan: '#0d7a76',
  brightWhite: '#22292c',
};

export const terminalThemes = { light, dark } as const;

/** What a search has found: all of it, and the one it stands at. */
export const searchMarks = {
  light: {
    matchBackground: '#ffe9a8',
    matchOverviewRuler: '#b98900',
    activeMatchBackground: '#ffb454',
    activeMatchColorOverviewRuler: '#b85c00',
  },
  dark: {
    matchBackground: '#4d4316',
    matchOverviewRuler: '#a88f2e',
    activeMatchBackground: '#8a5a00',
    activeMatchColorOverviewRuler: '#e0a63c',
  },
} as const;
