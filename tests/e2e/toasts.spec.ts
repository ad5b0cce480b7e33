import type { Locator, Page } from '@playwright/test';
import { consoleTexts, fill } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { closeToasts, logIn, moveTo } from './steps.ts';

const json = 'application/json; charset=utf-8';
const colours = { info: 'rgb(29, 95, 196)', success: 'rgb(23, 112, 60)', error: 'rgb(192, 42, 42)' } as const;

/** A toast is the card that holds its text. */
const toastOf = (page: Page, text: string) => page.locator('.Toastify__toast', { hasText: text });

async function expectLook(toast: Locator, colour: string) {
  await expect(toast).toBeVisible();
  await expect(toast).toHaveCSS('background-color', colour);
}

/** Fails to create an organization, with these messages. */
async function fail(page: Page, messages: string[]) {
  await page.route('**/api/v1/organizations/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, contentType: json, body: JSON.stringify({ other: messages }) })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Create organization' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Works');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.locator('.Toastify__toast')).toHaveCount(messages.length);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

interface Timer {
  state: string;
  duration: number;
  time: number;
}

/** The animation of its bar is the clock of a toast. As text: these sources are type-checked for Node. */
const bar = "document.querySelector('.Toastify__progress-bar--animated').getAnimations()[0]";
const readTimer = (page: Page) =>
  page.evaluate<Timer>(`(() => {
    const { playState, currentTime, effect } = ${bar};
    return { state: playState, duration: effect.getTiming().duration, time: currentTime };
  })()`);
const setTime = (page: Page, time: number) => page.evaluate(`{ ${bar}.currentTime = ${time}; }`);
const readState = async (page: Page) => (await readTimer(page)).state;

// They come in and go with movement, which their time must not depend on.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test.beforeEach(async ({ page, installation }) => {
  await logIn(page, installation);
  await page.goto(`${installation.server.url}/organizations`);
});

// spec: 3.12
test('spec 3: an error is red, a success green, an info blue', async ({ page, installation }) => {
  await fail(page, ['It went wrong']);
  await expectLook(toastOf(page, 'It went wrong'), colours.error);

  await page.unroute('**/api/v1/organizations/');
  await page.route('**/api/v1/organizations/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 201, contentType: json, body: JSON.stringify(installation.organization) })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Create organization' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Works');
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await expectLook(toastOf(page, 'Organization created'), colours.success);

  await page.goto(`${installation.server.url}/signup`);
  await expectLook(toastOf(page, 'An existing account cannot yet be added'), colours.info);
});

// spec: 4.06, 8.13, 9.05
test('spec 9: a toast is 256 px wide, at the top right, and closes 6000 ms after it has appeared, not after it has come in', async ({
  page,
}) => {
  // By the clock of animations.
  await page.evaluate(`new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        const toast = node.closest?.('.Toastify__toast') ?? node.querySelector?.('.Toastify__toast');
        if (toast) window.appearedAt ??= document.timeline.currentTime;
      }
    }
  }).observe(document.body, { childList: true, subtree: true })`);
  await fail(page, ['It went wrong']);
  const toast = toastOf(page, 'It went wrong');
  // It slides in first.
  await expect.poll(async () => (await toast.boundingBox())?.x).toBe(1280 - 256 - 12);
  const box = await toast.boundingBox();
  expect(box?.width).toBe(256);
  expect(box?.y).toBeLessThan(24);
  const { state, duration } = await readTimer(page);
  expect({ state, duration }).toEqual({ state: 'running', duration: 6000 });
  const waited = await page.evaluate<number>(
    `${bar}.startTime + ${bar}.effect.getTiming().delay - window.appearedAt`,
  );
  // Coming in takes 700 ms.
  expect(Math.abs(waited)).toBeLessThan(500);
  await setTime(page, 5950);
  await expect(toast).toHaveCount(0);
});

// spec: 4.06
test('spec 4: under the pointer the timer rests, and goes on after it with the time that remains', async ({
  page,
}) => {
  await fail(page, ['It went wrong']);
  const toast = toastOf(page, 'It went wrong');
  await expect.poll(() => readState(page)).toBe('running');
  await toast.hover();
  await expect.poll(() => readState(page)).toBe('paused');
  await setTime(page, 3000);
  expect(await readTimer(page)).toMatchObject({ state: 'paused', time: 3000 });
  await page.mouse.move(0, 700);
  await expect.poll(() => readState(page)).toBe('running');
  const { time } = await readTimer(page);
  expect(time).toBeGreaterThanOrEqual(3000);
  expect(time).toBeLessThan(6000);
  await expect(toast).toHaveCount(0);
});

// spec: 4.06, 8.13
test('spec 4, spec 8: each message of a list is a toast without its full stop, closed by a click on it or its button', async ({
  page,
}) => {
  await fail(page, ['By the message.', 'By the button.', 'Stays.']);
  await expect(page.locator('.Toastify__toast')).toHaveCount(3);
  for (const text of ['By the message', 'By the button', 'Stays']) {
    await expect(toastOf(page, text).getByText(text, { exact: true })).toBeVisible();
  }
  // Under the pointer, so that time closes none of them.
  await toastOf(page, 'By the message').getByText('By the message').click();
  await expect(toastOf(page, 'By the message')).toHaveCount(0);
  const byButton = toastOf(page, 'By the button');
  await byButton.hover();
  await byButton.getByRole('button').click();
  await expect(byButton).toHaveCount(0);
});

/** What of an open dialog a toast lies over. As text: these sources are type-checked for Node. */
const readCovered = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    // It goes when the page asks once more, and comes back with what is answered.
    const toast = document.querySelector('.Toastify__toast-container')?.getBoundingClientRect();
    const dialog = document.querySelector('[role=dialog]');
    if (!toast || !dialog) return ['no toast or no dialog is there'];
    const pressable = [...dialog.querySelectorAll('a, button, input, select, textarea, [role=tab], [role=option]')];
    return pressable
      .filter((element) => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        const isUnder = right > toast.left && left < toast.right && bottom > toast.top && top < toast.bottom;
        return isUnder && width > 0;
      })
      .map((element) => element.outerHTML.slice(0, 120));
  })()`);

/** Where everything is that can be pressed. */
const readPlaces = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('#root a, #root button, #root input, #root h1')]
    .filter((element) => !element.closest('.Toastify'))
    .map((element) => {
      const { left, top } = element.getBoundingClientRect();
      return [element.tagName, Math.round(left), Math.round(top)].join(' ');
    })`);

/** Has the page ask anew, as a browser does that one comes back to, and be refused. */
async function refuseRefresh(page: Page, message: string) {
  await page.route('**/api/v1/organizations/', (route) =>
    route.fulfill({ status: 400, contentType: json, body: JSON.stringify({ detail: message }) }),
  );
  // A page that is still asking does not ask anew.
  const comeBack = async () => {
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    return toastOf(page, message).count();
  };
  await expect.poll(comeBack).toBe(1);
}

for (const { width, height } of [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height } });

    test('a toast lies over the page and moves nothing of it', async ({ page, installation, device }) => {
      await device.claim();
      const { organization } = installation;
      const message = 'The organizations could not be read, as a line of several words says';
      const inside = `/organizations/${organization.id}`;
      const expectStill = async (path: string) => {
        await closeToasts(page);
        const before = await readPlaces(page);
        await refuseRefresh(page, message);
        await expect.poll(() => readPlaces(page), path).toEqual(before);
        await page.unroute('**/api/v1/organizations/');
      };
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectStill('/organizations');
      for (const path of [
        `${inside}/controllers`,
        `${inside}/controllers/${device.serialNumber}`,
        '/security',
      ]) {
        await moveTo(page, path);
        await expectStill(path);
      }
      await page.evaluate('window.scrollBy(0, 200)');
      await expectStill('/security, scrolled');
    });

    test('no toast lies over what can be pressed in a dialog', async ({ page }) => {
      await page.getByRole('button', { name: 'Create organization' }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await refuseRefresh(page, 'The organizations could not be read, as a line of several words says');
      await expect.poll(() => readCovered(page)).toEqual([]);
    });
  });
}

test.describe('a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('no toast lies over the banner that says that the server is away', async ({ page }) => {
    await page.getByRole('button', { name: 'Create organization' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Works');
    await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'));
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const banner = page.getByRole('status').filter({ hasText: consoleTexts.en.app.connectionLost });
    const toast = page.locator('.Toastify__toast').first();
    const room = async () => {
      const [above, below] = [await banner.boundingBox(), await toast.boundingBox()];
      return above && below && below.y - above.y - above.height;
    };
    await expect.poll(room).toBe(12);
  });

  test('no toast lies over what can be pressed in a drawer', async ({ page, installation, device }) => {
    await device.claim();
    const { groups } = consoleTexts.en;
    await page.goto(`${installation.server.url}/organizations/${installation.organization.id}/controllers`);
    await page.getByRole('button', { name: fill(groups.openGroups, { name: groups.all }) }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await refuseRefresh(page, 'It went wrong');
    await expect.poll(() => readCovered(page)).toEqual([]);
  });
});
