/**
 * `npm run bench map [-- --seconds N]`: the map of 100,000 controllers in Chromium: how long until the first markers, how many
 * features an answer has, and how many frames a second it draws while it is dragged. The peer of the same run is the same map
 * dragged without a controller on it: what the browser itself can do on this machine, most of all without a graphics card.
 */
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { startFleetSite } from './fleet/site.ts';
import { countMarkers, openMap, takeFrames, watchFrames } from './map/in-page.ts';
import { formatTable, percentile } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } });
const milliseconds = Number(options.seconds) * 1000;
const print = (text: string) => void process.stdout.write(`${text}\n`);
const viewport = { width: 1280, height: 800 };

/** Drags the map to and fro for some seconds. */
async function drag(page: Page): Promise<number[]> {
  const { width, height } = viewport;
  // Below the note that no controller matches.
  const middle = { x: width * 0.62, y: height * 0.85 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.evaluate(watchFrames);
  const end = performance.now() + milliseconds;
  for (let step = 0; performance.now() < end; step++) {
    const angle = step / 12;
    await page.mouse.move(middle.x + Math.sin(angle) * 250, middle.y + Math.sin(angle / 2) * 60);
  }
  const frames = await page.evaluate<number[]>(takeFrames);
  await page.mouse.up();
  return frames;
}

function describeFrames(what: string, markers: number, frames: readonly number[]): string[] {
  const total = frames.reduce((sum, each) => sum + each, 0);
  const rate = (frames.length / total) * 1000;
  return [
    what,
    String(markers),
    rate.toFixed(0),
    `${percentile(frames, 0.5).toFixed(1)} ms`,
    `${percentile(frames, 0.95).toFixed(1)} ms`,
  ];
}

print(await describeMachine());
await using site = await startFleetSite();
const { server, organizationId } = site;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  print(`Chromium ${browser.version()}, drawing without a graphics card\n`);
  const context = await browser.newContext({ viewport, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.getByRole('textbox', { name: 'Email' }).fill(server.adminEmail);
  await page.getByLabel('Password').first().fill(server.adminPassword);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/controllers-map/')) return;
    const read = response.json().then(({ features }: { features: unknown[] }) => sizes.push(features.length));
    // Given up by the page when it moved on.
    read.catch(() => {});
  });
  const list = `${server.url}/organizations/${organizationId}/controllers`;
  const path = `/organizations/${organizationId}/map`;
  const openings: number[] = [];
  for (let round = 0; round < 6; round++) {
    await page.goto(list);
    await page.getByRole('row').nth(5).waitFor();
    openings.push(await page.evaluate<number>(openMap(path)));
  }
  const [cold = 0, ...warm] = openings;
  print(
    `First markers: ${cold.toFixed(0)} ms at the first visit, then ${percentile(warm, 0.5).toFixed(0)} ms (median of ${warm.length}), target 300 ms`,
  );
  await page.waitForTimeout(2000);
  const withMarkers = await page.evaluate<number>(countMarkers);
  const fleet = await drag(page);
  await page.goto(`${server.url}${path}?search=no-controller-has-this`);
  await page.getByRole('region', { name: 'Map of controllers' }).or(page.locator('canvas')).first().waitFor();
  await page.waitForTimeout(2000);
  const empty = await drag(page);
  print(
    formatTable([
      ['dragged', 'markers', 'frames a second', 'p50', 'p95'],
      describeFrames('map alone', 0, empty),
      describeFrames('100,000 controllers', withMarkers, fleet),
    ]),
  );
  print(`Features in an answer: at most ${Math.max(...sizes)} (target 1,000)`);
} finally {
  await browser.close();
}
