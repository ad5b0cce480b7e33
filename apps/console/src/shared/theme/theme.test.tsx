import {
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  MantineProvider,
  Menu,
  mergeMantineTheme,
} from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { resolveVariables, theme } from './theme.ts';

afterEach(cleanup);

const whole = mergeMantineTheme(DEFAULT_THEME, theme);

/** The colour that a style names, through all variables of the scheme, as six hexadecimal digits. */
function resolveColor(value: string, scheme: 'light' | 'dark'): string {
  const mantine = defaultCssVariablesResolver(whole);
  const variables: Record<string, string> = {
    ...mantine.variables,
    ...mantine[scheme],
    ...resolveVariables(whole)[scheme],
  };
  let color = value;
  for (let name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]; name; name = /^var\((--[\w-]+)\)$/.exec(color)?.[1])
    color = variables[name] ?? '';
  // #fff is #ffffff.
  color = color.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');
  expect(color, `${value} is an opaque colour`).toMatch(/^#[\da-f]{6}$/i);
  return color;
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

it.each(['light', 'dark'] as const)(
  'red items of a menu can be read, chosen and not: at least 4.5:1 in the %s scheme',
  async (scheme) => {
    render(
      <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} forceColorScheme={scheme}>
        <Menu opened>
          <Menu.Target>
            <button type="button">menu</button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item color="red">Delete</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </MantineProvider>,
    );
    const { style } = await screen.findByRole('menuitem', { name: 'Delete' });
    const text = resolveColor(style.getPropertyValue('--menu-item-color'), scheme);
    // Mantine's style of a menu's surface.
    const surface = { light: 'var(--mantine-color-white)', dark: 'var(--mantine-color-dark-6)' }[scheme];
    for (const background of [surface, style.getPropertyValue('--menu-item-hover')])
      expect(contrast(text, resolveColor(background, scheme)), background).toBeGreaterThanOrEqual(4.5);
  },
);
