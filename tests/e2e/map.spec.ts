import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill, fillPlural, type Language } from './console-texts.ts';
import { expect, type Installation, startDevice, test } from './installation.ts';
import { logIn } from './steps.ts';

/** What the console says about the map in one language, by what a test does with it. */
function readWords(language: Language) {
  const { map, baseMap, controllers, tunnelKinds } = consoleTexts[language];
  const { views, status, list, coordinates, view } = controllers;
  return {
    map: map.label,
    list: views.list,
    showMap: views.map,
    twoOnline: fillPlural(
      map,
      { key: 'cluster', count: 2, language },
      { online: '2', offline: '0', never: '0' },
    ),
    marker: (serialNumber: string, of: 'online' | 'offline') =>
      fill(map.controller, { serialNumber, status: status[of] }),
    web: tunnelKinds.kind.http.name,
    close: map.close,
    search: list.search,
    samePlace: fill(map.samePlace, { formatted: '2' }),
    fallback: baseMap.fallback,
    nothing: map.nowhere.title,
    rest: fill(map.withoutPlace, { formatted: '1' }),
    pin: baseMap.movePin,
    latitude: coordinates.latitude,
    save: view.save,
    saved: coordinates.saved,
  };
}

const variants = [
  { language: 'en', locale: 'en-GB', width: 1280, height: 800, colorScheme: 'light' },
  { language: 'ru', locale: 'ru-RU', width: 360, height: 740, colorScheme: 'dark' },
] as const;

const moscow = { latitude: 55.7558, longitude: 37.6173 };
const nearby = { latitude: 55.79, longitude: 37.68 };

/** Whether the canvas shows more than one colour: a map whose worker did not start stays blank. */
async function expectDrawn(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const image = await page.locator('canvas.maplibregl-canvas').screenshot();
      // A picture of one colour is packed into next to nothing.
      return image.length;
    })
    .toBeGreaterThan(8000);
}

async function place(
  { api }: Installation,
  serialNumber: string,
  body: { latitude: number; longitude: number } | { latitude: null; longitude: null },
) {
  await api.call('updateController', { params: { serialNumber }, body });
}

for (const { language, locale, width, height, colorScheme } of variants) {
  const text = readWords(language);
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height }, colorScheme });

    test(`controllers stand on the map, are opened there and change live: ${name}`, async ({
      page,
      installation,
      device,
    }, info) => {
      const { server, organization } = installation;
      await using other = await startDevice(installation);
      await device.claim();
      await other.claim();
      const address = `${server.url}/organizations/${organization.id}`;
      const marker = (serialNumber: string, status: 'online' | 'offline' = 'online') =>
        page.getByRole('button', { name: text.marker(serialNumber, status) });
      const picture = (what: string) =>
        page.screenshot({ path: info.outputPath(`${what}-${name}.png`), animations: 'disabled' });

      await logIn(page, installation);
      // Without coordinates the map says how to set them.
      await page.goto(`${address}/map`);
      await expect(page.getByText(text.nothing)).toBeVisible();
      await expectDrawn(page);

      // Told by an event: two in one place are a cluster that no zoom takes apart.
      await place(installation, device.serialNumber, moscow);
      await expect(page.getByRole('link', { name: text.rest })).toHaveAttribute('href', /\?located=false$/);
      await place(installation, other.serialNumber, moscow);
      await page.reload();
      const cluster = page.getByRole('button', { name: text.twoOnline });
      await cluster.click();
      const list = page.getByRole('dialog', { name: text.samePlace });
      await list.getByRole('button', { name: device.serialNumber }).click();
      const card = page.getByRole('dialog', { name: device.serialNumber });
      await expect(card.getByRole('link', { name: text.web })).toHaveAttribute(
        'href',
        `/connect/http/${device.serialNumber}/`,
      );
      await picture('card');
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(card).toBeHidden();

      // Apart from each other, but too close at this zoom: a click brings them apart, and the address follows.
      await place(installation, other.serialNumber, nearby);
      await page.goto(`${address}/map?center=50,40&zoom=3`);
      await cluster.focus();
      await page.keyboard.press('Enter');
      await expect(marker(device.serialNumber)).toBeVisible();
      await expect(marker(other.serialNumber)).toBeVisible();
      await expect(page).toHaveURL(/center=55\.7\d+%2C37\.6\d+&zoom=\d\d/);
      await picture('zoomed');
      // The address is the view.
      await page.reload();
      await expect(marker(other.serialNumber)).toBeVisible();

      // Live: the colour follows the link.
      await marker(other.serialNumber).click();
      await other.agent.halt();
      await expect(marker(other.serialNumber, 'offline')).toBeVisible();
      const offline = page.getByRole('dialog', { name: other.serialNumber });
      await expect(offline.getByRole('link', { name: text.web })).toHaveAttribute('aria-disabled', 'true');
      await offline.getByRole('button', { name: text.close }).click();

      // The filter lives in the address, and goes along to the list and back.
      await page.getByRole('searchbox', { name: text.search }).fill(device.serialNumber);
      await expect(marker(other.serialNumber, 'offline')).toBeHidden();
      await expect(marker(device.serialNumber)).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`search=${device.serialNumber}`));
      await page.getByRole('link', { name: text.list, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/controllers\\?search=${device.serialNumber}$`));
      await page.getByRole('main').getByRole('link', { name: text.showMap, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/map\\?search=${device.serialNumber}`));
      await expect(marker(device.serialNumber)).toBeVisible();
    });

    test(`coordinates are set by dragging a pin or a click on the map: ${name}`, async ({
      page,
      installation,
      device,
    }, info) => {
      const { server, organization, api } = installation;
      await device.claim();
      await place(installation, device.serialNumber, moscow);
      await logIn(page, installation);
      await page.goto(
        `${server.url}/organizations/${organization.id}/controllers/${device.serialNumber}?tab=settings`,
      );
      const latitude = page.getByRole('textbox', { name: text.latitude });
      const read = async () => Number((await latitude.inputValue()).replace(',', '.'));
      const stored = async () =>
        (await api.call('getController', { params: { serialNumber: device.serialNumber } })).latitude ?? 0;
      await latitude.scrollIntoViewIfNeeded();
      const pin = page.getByRole('button', { name: text.pin });
      await pin.scrollIntoViewIfNeeded();
      const box = await pin.boundingBox();
      if (!box) throw new Error('the pin has no place');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 20, y - 30, { steps: 4 });
      await page.mouse.up();
      const dragged = await read();
      expect(dragged).toBeGreaterThan(moscow.latitude + 0.01);
      await page.screenshot({ path: info.outputPath(`pin-${name}.png`), animations: 'disabled' });
      await page.getByRole('button', { name: text.save, exact: true }).click();
      await expect(page.getByText(text.saved)).toBeVisible();
      expect(await stored()).toBeCloseTo(dragged, 5);

      const canvas = page.locator('canvas.maplibregl-canvas');
      const area = await canvas.boundingBox();
      if (!area) throw new Error('the map has no place');
      await canvas.click({ position: { x: area.width / 2, y: area.height - 40 } });
      await expect.poll(read).toBeLessThan(moscow.latitude);
      // Typed, it moves the pin; the arrow keys move it too.
      await latitude.fill('');
      await latitude.pressSequentially('55.5');
      await pin.press('ArrowUp');
      await expect.poll(read).toBeGreaterThan(55.5);
      await page.getByRole('button', { name: text.save, exact: true }).click();
      await expect.poll(stored).toBeCloseTo(await read(), 5);
      await expectAccessible(page);
    });
  });
}

test('a map style that cannot be loaded gives way to the bundled map, and the page says so', async ({
  page,
  installation,
  device,
}) => {
  const text = readWords('en');
  const { server, organization } = installation;
  await device.claim();
  await place(installation, device.serialNumber, moscow);
  // The server's answer is changed on its way: an own server for each broken style would take a minute.
  let style = '/no-such-style.json';
  await page.route('**/api/v1/environments/', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), MAP_STYLE_URL: style } });
  });
  await logIn(page, installation);
  const open = () => page.goto(`${server.url}/organizations/${organization.id}/map?center=50,40&zoom=3`);
  // The console itself answers for an unknown address: HTML is no style.
  await open();
  await expect(page.getByText(text.fallback)).toBeVisible();
  await expectDrawn(page);

  // The style is there, but nothing of what it draws.
  style = '/style.json';
  await page.route('**/style.json', (route) =>
    route.fulfill({
      json: {
        version: 8,
        sources: { tiles: { type: 'raster', url: '/gone.json', tileSize: 256 } },
        layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
      },
    }),
  );
  await page.route('**/gone.json', (route) => route.fulfill({ status: 500 }));
  await open();
  await expect(page.getByText(text.fallback)).toBeVisible();
  await expectDrawn(page);

  // One that loads is shown, and nothing is said.
  await page.route('**/style.json', (route) =>
    route.fulfill({
      json: {
        version: 8,
        sources: {},
        layers: [{ id: 'sea', type: 'background', paint: { 'background-color': '#123456' } }],
      },
    }),
  );
  await open();
  await expect(page.getByRole('region', { name: text.map })).toBeVisible();
  await expect(page.getByText(text.fallback)).toBeHidden();
});
