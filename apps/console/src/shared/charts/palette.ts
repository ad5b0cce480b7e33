/** Colours of lines by what they say; each is one of the theme. */
export const lineColors = {
  main: '--pult-accent-text',
  quiet: '--pult-text-faint',
  good: '--pult-online',
  bad: '--pult-danger',
} as const;
export type LineColor = keyof typeof lineColors;

export interface ChartPalette extends Record<LineColor, string> {
  text: string;
  muted: string;
  grid: string;
  surface: string;
  font: string;
}

/** The theme's colours as the canvas needs them: it knows no variables. */
export function readPalette(element: Element): ChartPalette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim() || '#808080';
  return {
    main: read(lineColors.main),
    quiet: read(lineColors.quiet),
    good: read(lineColors.good),
    bad: read(lineColors.bad),
    text: read('--pult-text'),
    muted: read('--pult-text-muted'),
    grid: read('--pult-line'),
    surface: read('--pult-surface'),
    font: style.fontFamily || 'sans-serif',
  };
}

/** `#rrggbb` as what lies behind a line of it; other forms have none. */
export function shade(color: string): string {
  return /^#[\da-f]{6}$/i.test(color) ? `${color}38` : 'transparent';
}

/** `#rrggbb`, nearly transparent; other forms have no fill. */
export function faint(color: string): string {
  return /^#[\da-f]{6}$/i.test(color) ? `${color}1a` : 'transparent';
}
