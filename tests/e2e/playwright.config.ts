import { defineConfig } from '@playwright/test';

/** The tests start their own servers and agents; this says only how the browser runs. */
export default defineConfig({
  testDir: '.',
  // It makes the documentation's pictures, on request; what it looks at, other files test.
  testIgnore: process.env.UPDATE_SCREENSHOTS === undefined ? ['screenshots.spec.ts'] : [],
  outputDir: '../../test-results/e2e',
  fullyParallel: false,
  // Each with a server, a database and devices of its own: what a test does to its installation, no other file's test sees.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'line',
  use: {
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    // Recording one took a sixth of the processor's time. What failed has its picture; `npm run e2e -- --trace on FILE` makes one.
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
    // Movement takes a part of the processor's time, and tests would wait for its end. Files about it ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // Without a window's surroundings, which nobody sees here: a quarter less of the processor's time than `chromium`.
      executablePath: process.env.CHROMIUM || '/usr/bin/chromium-headless-shell',
      args: [
        // Chromium has no sandbox as root.
        '--no-sandbox',
        // Pages are drawn without a graphics card even where there is one. An imitation of one serves the maps alone: pages
        // drawn by it take a third more of the processor's time.
        '--disable-gpu',
        '--enable-unsafe-swiftshader',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-default-apps',
        '--disable-domain-reliability',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
