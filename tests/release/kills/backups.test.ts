import { afterAll, beforeAll, it } from 'vitest';
import {
  createInstallation,
  type Installation,
} from '../../../apps/server/src/features/backups/backups.fixture.ts';
import { expectNothingOfKilled } from '../../../apps/server/src/features/backups/kills.fixture.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await createInstallation();
}, 120_000);
afterAll(() => installation.close(), 60_000);

it('no half file of 20 backups that were killed is taken for a whole one, and nothing is held back', async () => {
  const shares = Array.from({ length: 20 }, (_, index) => (index < 14 ? index / 14 : 1 + (index - 14) / 20));
  await expectNothingOfKilled(installation, shares);
}, 600_000);
