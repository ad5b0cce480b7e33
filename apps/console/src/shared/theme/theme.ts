import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { WaitingButton } from '../ui/WaitingButton.tsx';
import { dark, fonts, greys, light, mantineVariables } from './tokens.ts';

function variables(colors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(colors).map(([name, value]) => [`--pult-${name}`, value]));
}

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...variables(light), ...mantineVariables },
  dark: { ...variables(dark), ...mantineVariables },
});

/** A 4 px grid, radius 6, hairlines instead of shadows. */
export const theme = createTheme({
  fontFamily: fonts.text,
  fontFamilyMonospace: fonts.mono,
  primaryColor: 'teal',
  primaryShade: { light: 8, dark: 7 },
  colors: {
    gray: [...greys.gray],
    dark: [...greys.dark],
    teal: [
      '#eef8f7',
      '#d5eeeb',
      '#aaded8',
      '#7cccc3',
      '#4cb8ad',
      '#2ba196',
      '#1a8d83',
      '#12827a',
      '#0f766e',
      '#0b5b55',
    ],
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: '0 4px 16px var(--pult-shade)',
    lg: '0 8px 24px var(--pult-shade)',
    xl: '0 12px 32px var(--pult-shade)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: { styles: { label: { marginBottom: 4 }, description: { fontSize: 12, marginBottom: 4 } } },
    Button: { defaultProps: { size: 'sm', component: WaitingButton } },
    ActionIcon: { defaultProps: { component: WaitingButton } },
    Tooltip: { defaultProps: { withArrow: false, openDelay: 150, multiline: true, maw: 320 } },
    // The placeholder for the first focus has a role that a menu may not contain.
    Menu: {
      defaultProps: {
        transitionProps: { duration: 100 },
        withInitialFocusPlaceholder: false,
        hideDetached: false,
        shadow: 'md',
      },
    },
    Modal: {
      styles: { title: { fontSize: 16, fontWeight: 600, lineHeight: 1.35 } },
      defaultProps: {
        centered: true,
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.4 },
      },
    },
  },
});
