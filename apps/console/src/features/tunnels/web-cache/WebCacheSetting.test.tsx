import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { asRole, organization } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const page = `/organizations/${organization.id}/controllers/A1B2C3D4?tab=settings`;
const kept = { enabled: true, isAvailable: true, savedBytes: 5 * 1024 ** 2 };

it('the cache of a controller’s web interface is turned off on the settings tab, which shows what it has saved', async () => {
  const { callsOf } = renderConsole(page, {
    answers: {
      getWebCache: () => kept,
      updateWebCache: () => ({ ...kept, enabled: false }),
    },
  });
  expect(await screen.findByText(/Saved on the line: 5.MB/)).toBeTruthy();
  const toggle = screen.getByRole<HTMLInputElement>('switch', { name: /Keep parts of pages/ });
  expect(toggle.checked).toBe(true);
  fireEvent.click(toggle);
  expect(await screen.findByText('Cache turned off, what was kept is forgotten')).toBeTruthy();
  expect(callsOf('updateWebCache')[0]?.body).toEqual({ enabled: false });
  await waitFor(() => expect(toggle.checked).toBe(false));
});

it('the cache of a controller’s web interface is not for viewers to turn off, who see why', async () => {
  renderConsole(page, { answers: asRole('viewer') });
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: /Keep parts of pages/ });
  expect(toggle.disabled).toBe(true);
  expect(screen.getByText('Nothing saved so far.')).toBeTruthy();
});

it('the cache of a controller’s web interface says where the server keeps nothing at all', async () => {
  renderConsole(page, { answers: { getWebCache: () => ({ ...kept, isAvailable: false }) } });
  expect(await screen.findByText('On this server the cache is off for all controllers.')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('switch', { name: /Keep parts of pages/ }).checked).toBe(false);
});
