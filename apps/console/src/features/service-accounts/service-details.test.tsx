import type { ServiceAccount } from '@pult/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { organization } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const account: ServiceAccount = {
  id: '01890a5d-ac96-774b-bcce-b302099a8070',
  name: 'Nightly export',
  createdAt: '2026-11-20T10:00:00Z',
  createdBy: 'owner@example.com',
  ...{ tokens: 0, sshKeys: 0, grants: 0, lastUsedAt: null, isManageable: true },
};

test('the page of a service account has its name as its title, and leads back to the page of access', async () => {
  renderConsole(`/organizations/${organization.id}/access?kind=services`, {
    answers: {
      listServiceAccounts: () => [account],
      listServiceAccountTokens: () => [],
      listServiceAccountKeys: () => [],
      listGrants: () => [],
      listMembers: () => [],
      listInvites: () => [],
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Nightly export' }));
  await screen.findByRole('heading', { level: 1, name: 'Nightly export' });
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  expect(document.title).toContain('Nightly export');
  fireEvent.click(screen.getByRole('button', { name: 'Back to Access' }));
  await screen.findByRole('heading', { level: 1, name: 'Access' });
});
