import { expectAccessible } from './accessible.ts';
import { expect, startDevice, test } from './installation.ts';
import { mapVariants, moscow, place, readMapWords } from './map-words.ts';
import { logIn } from './steps.ts';

for (const { language, locale, width, height, colorScheme } of mapVariants) {
  const text = readMapWords(language);
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height }, colorScheme });

    test(`coordinates are set by dragging a pin or a click on the map: ${name}`, async ({
      page,
      installation,
      device,
    }) => {
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

test('a controller without a place gets one where the others are, and a typed one is shown with its region', async ({
  page,
  installation,
  device,
}) => {
  const text = readMapWords('en');
  const { server, organization } = installation;
  await using other = await startDevice(installation);
  await device.claim();
  await other.claim();
  await place(installation, other.serialNumber, moscow);
  await logIn(page, installation);
  await page.goto(
    `${server.url}/organizations/${organization.id}/controllers/${device.serialNumber}?tab=settings`,
  );
  // The map is there once it is in sight.
  await page.getByRole('textbox', { name: text.latitude }).scrollIntoViewIfNeeded();
  const canvas = page.locator('canvas.maplibregl-canvas');
  await canvas.scrollIntoViewIfNeeded();
  const scale = page.getByText(/^\d+\skm$/);
  await expect(scale).toHaveText('100 km');
  await canvas.click({ position: { x: 200, y: 150 } });
  const read = async (name: string) =>
    Number((await page.getByRole('textbox', { name }).inputValue()).replace(',', '.'));
  await expect.poll(() => read(text.latitude)).toBeCloseTo(moscow.latitude, -1);
  // All of the world in sight, a typed place would be a dot on it.
  const zoomOut = page.getByRole('button', { name: text.zoomOut });
  await expect(async () => {
    await zoomOut.click();
    await expect(scale).toHaveText(/^\d000\skm$/, { timeout: 500 });
  }).toPass();
  await page.getByRole('textbox', { name: text.latitude }).fill('43.2');
  await expect(scale).toHaveText('100 km');
});
