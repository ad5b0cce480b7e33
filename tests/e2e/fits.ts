import type { Page } from '@playwright/test';
import { expect } from './installation.ts';

/** The page reaches beyond no edge of its window, and no tab or choice is cut. As text: the tests' types know no browser. */
export async function expectFits(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  const { scroll, client } = await page.evaluate<{ scroll: number; client: number }>(
    '({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth })',
  );
  expect(scroll, `${pathname} scrolls sideways`).toBeLessThanOrEqual(client);
  const listCut = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('[role="tablist"], [role="radiogroup"]')]
      .filter((strip) => strip.scrollWidth > strip.clientWidth)
      .map((strip) => strip.textContent)`);
  // The page's own font is narrower than the one that stands in until it is loaded.
  await expect.poll(listCut, `tabs and choices of ${pathname} that do not all fit`).toEqual([]);
}
