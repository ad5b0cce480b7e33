import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { api } from '../../../shared/api/client.ts';
import { cancelConfirmations } from '../../../shared/api/confirmation.ts';
import { type Answers, organization, refuse, refuseFields, throttle } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

afterEach(cancelConfirmations);

const title = 'Confirm this action';
const view = `/organizations/${organization.id}/controllers/A1B2C3D4?tab=settings`;
const recoveryCode = 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE';

/** A server that deletes controllers once the scope is confirmed by 123456 or the recovery code. */
function guard(code = 'totp_required'): Answers {
  let isConfirmed = false;
  return {
    deleteController: () => (isConfirmed ? undefined : refuse(403, code)),
    disableTotp: () => refuse(403, code),
    verifyTotp: ({ body }) => {
      const { code: typed, recoveryCode: written } = body as { code?: string; recoveryCode?: string }; // the console's own
      if (typed !== '123456' && written !== recoveryCode) return refuseFields({ code: ['Wrong.'] });
      isConfirmed = true;
      return { scope: 'delete_controller', expiresAt: '2026-11-20T10:00:00Z' };
    },
  };
}

/** The delete dialog of a controller, confirmed by its serial number. */
async function deleteController(answers: Answers) {
  const console = renderConsole(view, { answers });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete controller' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'A1B2C3D4' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  const confirmation = await screen.findByRole('dialog', { name: title });
  return { ...console, confirmation: within(confirmation) };
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

// spec: 7.12
test.each(['totp_required', 'totp_expired'])(
  'spec 8: a deletion refused with %s asks for a code and is repeated once',
  async (code) => {
    const { callsOf, confirmation } = await deleteController(guard(code));
    expect(
      confirmation.getByText('Enter a code to delete the controller or to replace its device.'),
    ).toBeTruthy();
    type('Authenticator code', '123456');
    await screen.findByText('Controller A1B2C3D4 deleted');
    expect(callsOf('verifyTotp').map(({ body }) => body)).toEqual([
      { scope: 'delete_controller', code: '123456' },
    ]);
    expect(callsOf('deleteController')).toHaveLength(2);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
  },
);

test('a recovery code confirms as well', async () => {
  const { callsOf, confirmation } = await deleteController(guard());
  fireEvent.click(confirmation.getByRole('button', { name: 'No phone at hand? Use a recovery code' }));
  type('Recovery code', recoveryCode);
  fireEvent.click(confirmation.getByRole('button', { name: 'Confirm' }));
  await screen.findByText('Controller A1B2C3D4 deleted');
  expect(callsOf('verifyTotp').map(({ body }) => body)).toEqual([
    { scope: 'delete_controller', recoveryCode },
  ]);
});

test('a wrong code is told in the dialog, which stays', async () => {
  const { callsOf, confirmation } = await deleteController(guard());
  type('Authenticator code', '000000');
  await confirmation.findByText('The code is wrong or was already used');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  expect(callsOf('deleteController')).toHaveLength(1);
});

test('too many codes are told in the dialog with a countdown', async () => {
  const { confirmation } = await deleteController({ ...guard(), verifyTotp: () => throttle(30) });
  type('Authenticator code', '000000');
  await confirmation.findByText(/^Too many attempts. Try again in (30|29) seconds$/);
});

test('cancelled, the deletion fails quietly: no toast, no redirect, its own dialog stays', async () => {
  const { callsOf, confirmation, address } = await deleteController(guard());
  fireEvent.click(confirmation.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
  const dialog = await screen.findByRole('dialog');
  await waitFor(() =>
    expect(within(dialog).getByRole('button', { name: 'Delete' }).hasAttribute('data-loading')).toBe(false),
  );
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  expect(address()).toBe(view);
  expect(callsOf('deleteController')).toHaveLength(1);
});

test('Escape closes the question alone, and cancels', async () => {
  const { address } = await deleteController(guard());
  fireEvent.keyDown(screen.getByLabelText('Authenticator code'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
  expect(screen.getByRole('dialog')).toBeTruthy();
  expect(address()).toBe(view);
});

test('leaving the page takes the question back', async () => {
  const { router } = await deleteController(guard());
  await router.navigate({ href: '/organizations' });
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
});

test('concurrent refused calls share one dialog', async () => {
  const { callsOf } = renderConsole('/organizations', { answers: guard() });
  await screen.findByRole('heading', { level: 1 });
  const both = Promise.all(
    ['A1', 'B2'].map((serialNumber) => api('deleteController', { params: { serialNumber } })),
  );
  await screen.findByRole('dialog', { name: title });
  await waitFor(() => expect(callsOf('deleteController')).toHaveLength(2));
  expect(screen.getAllByRole('dialog', { name: title })).toHaveLength(1);
  type('Authenticator code', '123456');
  await both;
  expect(callsOf('verifyTotp')).toHaveLength(1);
  expect(callsOf('deleteController').map(({ params }) => params.serialNumber)).toEqual([
    'A1',
    'B2',
    'A1',
    'B2',
  ]);
});

test('another scope is asked for after the first', async () => {
  renderConsole('/organizations', { answers: guard() });
  await screen.findByRole('heading', { level: 1 });
  const first = api('deleteController', { params: { serialNumber: 'A1' } });
  const second = api('disableTotp').catch((error: unknown) => error);
  await screen.findByText('Enter a code to delete the controller or to replace its device.');
  type('Authenticator code', '123456');
  await first;
  await screen.findByText('Enter a code to turn the second factor off.');
  expect(screen.getByLabelText<HTMLInputElement>('Authenticator code').value).toBe('');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await second).toMatchObject({ code: 'totp_required' });
});
