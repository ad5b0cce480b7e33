import { expectAccessible } from './accessible.ts';
import { consoleTexts } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { seedFleet } from './seed-fleet.ts';
import { logIn } from './steps.ts';

const { controllers, labels } = consoleTexts.en;

test('labels of the selected controllers are all that is printed, over as many sheets as it takes', async ({
  page,
  installation,
}) => {
  await using seeded = await seedFleet(installation, { name: 'Labels', controllers: 40 });
  await logIn(page, installation);
  await page.goto(`${seeded.list}?page_size=100`);
  await page.getByRole('checkbox', { name: controllers.selection.all }).check();
  await page.getByRole('button', { name: labels.open }).click();
  const sheet = page.getByRole('list', { name: labels.title });
  await expect(sheet.getByRole('listitem')).toHaveCount(40);
  await expectAccessible(page, '[role=dialog]');
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(page.getByRole('button', { name: labels.print })).toBeHidden();
  await expect(page.getByRole('table')).toBeHidden();
  // What a label has no room for is cut at its edge.
  await expect(sheet.getByText(/^Boiler house/).first()).toHaveCSS('overflow', 'hidden');
  // 14 rows of three, of which a sheet of A4 has nine.
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2);
});
