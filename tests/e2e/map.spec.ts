import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, startDevice, test } from './installation.ts';
import { mapVariants, moscow, place, readMapWords } from './map-words.ts';
import { logIn } from './steps.ts';

/** Far enough to stand apart where the bundled map ends. */
const nearby = { latitude: 55.95, longitude: 38.2 };
/** Too close for that. */
const nextDoor = { latitude: 55.79, longitude: 37.68 };

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

for (const { language, locale, width, height, colorScheme } of mapVariants) {
  const text = readMapWords(language);
  const name = `${language}-${width}`;
  // On a phone, what has another place or size there.
  const isWhole = width > 1200;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height }, colorScheme });

    // spec: 1.08
    test(`controllers stand on the map, are opened there and change live: ${name}`, async ({
      page,
      installation,
      device,
    }) => {
      const { server, organization } = installation;
      await using other = await startDevice(installation);
      await device.claim();
      await other.claim();
      const address = `${server.url}/organizations/${organization.id}`;
      const marker = (serialNumber: string, status: 'online' | 'offline' = 'online') =>
        page.getByRole('button', { name: text.marker(serialNumber, status) });

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
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(card).toBeHidden();

      await place(installation, other.serialNumber, nearby);
      if (isWhole) {
        // Apart from each other, but too close at this zoom: a click brings them apart, and the address follows.
        await page.goto(`${address}/map?center=50,40&zoom=3`);
        await cluster.focus();
        await page.keyboard.press('Enter');
        await expect(marker(device.serialNumber)).toBeVisible();
        await expect(marker(other.serialNumber)).toBeVisible();
        await expect(page).toHaveURL(/center=55\.[89]\d*%2C37\.9\d*&zoom=[78]\.\d\d/);
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
      }

      // The filter lives in the address, and goes along to the list and back.
      await page.getByRole('searchbox', { name: text.search }).fill(device.serialNumber);
      await expect(marker(other.serialNumber, isWhole ? 'offline' : 'online')).toBeHidden();
      await expect(marker(device.serialNumber)).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`search=${device.serialNumber}`));
      await page.getByRole('link', { name: text.list, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/controllers\\?search=${device.serialNumber}$`));
      await page.getByRole('main').getByRole('link', { name: text.showMap, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/map\\?search=${device.serialNumber}`));
      await expect(marker(device.serialNumber)).toBeVisible();
    });
  });
}

test('the bundled map ends where it has nothing to say, tells how to get streets, and has a scale', async ({
  page,
  installation,
  device,
}) => {
  const text = readMapWords('en');
  const { server, organization } = installation;
  await using other = await startDevice(installation);
  await device.claim();
  await other.claim();
  await place(installation, device.serialNumber, moscow);
  await place(installation, other.serialNumber, nextDoor);
  await logIn(page, installation);
  const open = (zoom: number) =>
    page.goto(`${server.url}/organizations/${organization.id}/map?center=55.77,37.65&zoom=${zoom}`);
  const zoomIn = page.getByRole('button', { name: text.zoomIn });
  await open(6);
  await expect(zoomIn).toHaveAttribute('aria-disabled', 'false');
  await expect(page.getByText(/^\d+\skm$/)).toBeVisible();
  await expect(page.getByText(text.streets)).toBeHidden();
  // An address from a server that has streets.
  await open(14);
  await expect(page.getByText(text.streets)).toBeVisible();
  await expect(page.getByText('10 km', { exact: true })).toBeVisible();
  await expect(zoomIn).toHaveAttribute('aria-disabled', 'true');
  // Those whom it cannot show apart are listed.
  await page.getByRole('button', { name: text.twoOnline }).click();
  await expect(page.getByRole('dialog', { name: text.samePlace })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: text.dismiss }).click();
  await page.reload();
  await expect(zoomIn).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText(text.streets)).toBeHidden();
});

test('a map style that cannot be loaded gives way to the bundled map, and the page says so', async ({
  page,
  installation,
  device,
}) => {
  const text = readMapWords('en');
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
  const open = (zoom = 3) =>
    page.goto(`${server.url}/organizations/${organization.id}/map?center=50,40&zoom=${zoom}`);
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
  // It goes as far in as anybody wants.
  await open(12);
  await expect(page.getByText('1 km', { exact: true })).toBeVisible();
  await expect(page.getByText(text.streets)).toBeHidden();
});
