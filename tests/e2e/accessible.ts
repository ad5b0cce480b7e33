import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './installation.ts';

/** What fades in has another contrast on its way. What never ends, such as a spinner, is not waited for. */
async function waitForTransitions(page: Page): Promise<void> {
  // One that is given up is over as well. As a text: the tests' types know no browser.
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      .map(({ finished }) => finished),
  ).then(() => undefined)`);
}

/** axe finds nothing serious on the page, or in the part of it that `selector` names. */
export async function expectAccessible(page: Page, selector?: string): Promise<void> {
  // What lies under a header that stays would be taken for covered.
  await page.evaluate('window.scrollTo(0, 0)');
  await waitForTransitions(page);
  // Its other way opens a second page for the frames of other sites, of which there are none.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  const { violations } = await (selector === undefined ? axe : axe.include(selector)).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${target} ${html}`),
  );
  expect(found, `on ${new URL(page.url()).pathname}`).toEqual([]);
}
