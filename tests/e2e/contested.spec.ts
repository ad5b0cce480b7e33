import { openDatabase } from '@pult/server/database';
import { consoleTexts } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { seedFleet } from './seed-fleet.ts';
import { logIn } from './steps.ts';

test('a serial number that another device has proven is told in a frame, below a description with its pencil', async ({
  page,
  installation,
}) => {
  await using seeded = await seedFleet(installation, { name: 'Contested', controllers: 1 });
  const { pool, close } = await openDatabase(installation.server.dataDir);
  await pool.query(
    `insert into enrolments (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at,
       last_seen_at, connection_kind)
     select gen_random_uuid(), decode('0102030405060708', 'hex'), 'L000001', decode(md5('proven'), 'hex'), '', '', '1.7.1',
       now(), now(), 'wiren-board'`,
  );
  await close();
  await logIn(page, installation);
  await page.goto(`${seeded.list}/L000001`);
  const note = page
    .getByRole('note')
    .filter({ hasText: consoleTexts.en.controllers.standing.contested.title });
  await expect(note).toHaveCSS('border-top-style', 'solid');
  await expect(note).toHaveCSS('padding-left', '12px');
  await expect(
    page
      .getByRole('button', { name: new RegExp(`^${consoleTexts.en.controllers.view.editDescription}`) })
      .locator('svg'),
  ).toBeVisible();
});
