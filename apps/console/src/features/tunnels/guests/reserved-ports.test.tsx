import type { GuestLink } from '@pult/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeService, organization } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const broker = makeService({ port: 1883, name: 'Broker', isReserved: true });
const panel = makeService({ port: 3000, name: 'Grafana' });
const link = (service: string): GuestLink => ({
  ...{
    id: `01890a5d-ac96-774b-bcce-b302099${service.padStart(5, '0')}`,
    service,
    name: `Guest of ${service}`,
  },
  ...{ isReadOnly: false, uses: 1, used: 0, createdBy: null, lastUsedAt: null },
  ...{ createdAt: '2026-11-20T10:00:00Z', expiresAt: '2026-11-21T10:00:00Z' },
});

it('a service on a reserved port is not offered to guests, and a link to one says that it opens nothing', async () => {
  renderConsole(`/organizations/${organization.id}/controllers/A1B2C3D4?tab=settings`, {
    answers: {
      listServices: () => [broker, panel],
      listGuestLinks: () => [link('1883'), link('3000')],
    },
  });
  const guests = within(await screen.findByRole('list', { name: 'Guests' }));
  expect(guests.getAllByText(/The link does not open/)).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Share' }));
  const form = within(await screen.findByRole('dialog', { name: 'Share with a guest' }));
  const offered = form.getAllByRole('option').map(({ textContent }) => textContent);
  expect(offered).toContain('Grafana :3000');
  expect(offered).not.toContain('Broker :1883');
  expect(form.getByText(/Services on reserved ports/)).toBeTruthy();
});
