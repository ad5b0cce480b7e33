import type { Page } from '@playwright/test';
import { expect } from './installation.ts';

/** What browsers' makers call good is 0.1. */
const most = 0.05;

/** Longer than it takes until an outline of what is still to come is shown. */
const delay = 300;

/** Answers of the API come late, as over a slow network: what stands in for them is seen, and what they move. */
export async function slowAnswers(page: Page): Promise<void> {
  await page.route('**/api/v1/**', async (route) => {
    await new Promise((go) => setTimeout(go, delay));
    // The page may have gone meanwhile.
    await route.continue().catch(() => {});
  });
}

interface Shifts {
  value: number;
  /** What moved most, and from where to where. */
  moved: string[];
}

/**
 * Since the look before, nothing on the page has moved by itself but a little: its cumulative layout shift, without what
 * follows an input. As text: the tests' types know no browser.
 */
export async function expectStill(page: Page): Promise<void> {
  const { value, moved } = await page.evaluate<Shifts>(`(() => {
    // One for as long as the page is there: of what was before an observer the browser keeps the first 150 alone.
    if (!window.shiftObserver) {
      window.shiftsSeen = [];
      window.shiftObserver = new PerformanceObserver((list) => window.shiftsSeen.push(...list.getEntries()));
      window.shiftObserver.observe({ type: 'layout-shift', buffered: true });
    }
    const shifts = [...window.shiftsSeen, ...window.shiftObserver.takeRecords()]
      .filter((shift) => !shift.hadRecentInput);
    window.shiftsSeen = [];
    const tell = ({ node, previousRect, currentRect }) => {
      const element = node?.nodeType === 1 ? node : node?.parentElement;
      const name = element ? element.tagName + ' ' + element.textContent.slice(0, 40) : 'gone';
      const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
      return name + ': ' + place(previousRect) + ' -> ' + place(currentRect);
    };
    return {
      value: shifts.reduce((sum, shift) => sum + shift.value, 0),
      moved: shifts.flatMap((shift) => [
        shift.value.toFixed(3) + ' at ' + Math.round(shift.startTime),
        ...shift.sources.map(tell),
      ]),
    };
  })()`);
  const { pathname, search } = new URL(page.url());
  expect(value, `what moved on ${pathname}${search}:\n${moved.join('\n')}`).toBeLessThan(most);
}
