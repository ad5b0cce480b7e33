import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect } from './installation.ts';

/** A text that defines `axe` on a page. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What fades in has another contrast on its way. What never ends, such as a spinner, is not waited for. */
async function waitForTransitions(page: Page): Promise<void> {
  // One that is given up is over as well. As a text: the tests' types know no browser.
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      .map(({ finished }) => finished),
  ).then(() => undefined)`);
}

/**
 * What axe finds serious there, a line each. Its package for Playwright loads axe twice for each look and brings back what is
 * right as well, with every element: a look took a third more of the processor's time.
 */
async function listSerious(page: Page, selector?: string): Promise<string[]> {
  // A page that was looked at before has it still.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe);
  const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] };
  const context = selector === undefined ? 'document' : JSON.stringify({ include: [[selector]] });
  return page.evaluate<string[]>(`axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, target }) => id + ': ' + target + ' ' + html)))`);
}

/** axe finds nothing serious on the page, or in the part of it that `selector` names. */
export async function expectAccessible(page: Page, selector?: string): Promise<void> {
  // Nothing is wrong with a page that is still empty.
  await page
    .locator(selector ?? 'main')
    .first()
    .waitFor();
  // What lies under a header that stays would be taken for covered.
  await page.evaluate('window.scrollTo(0, 0)');
  await waitForTransitions(page);
  expect(await listSerious(page, selector), `on ${new URL(page.url()).pathname}`).toEqual([]);
}
