import { afterEach, expect, test, vi } from 'vitest';
import { api } from './client.ts';
import { answerConfirmation, cancelConfirmations, isConfirmationAsked } from './confirmation.ts';

afterEach(cancelConfirmations);

const json = { 'content-type': 'application/json; charset=utf-8' };

/** Guarded calls are refused until `confirm()`; then they succeed. */
function stubServer(code = 'totp_required') {
  let isConfirmed = false;
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push(`${init.method} ${url}`);
    return isConfirmed
      ? new Response(null, { status: 204 })
      : Response.json({ detail: 'Confirm.', code }, { status: 403, headers: json });
  });
  const confirm = () => {
    isConfirmed = true;
    answerConfirmation(true);
  };
  return { calls, confirm };
}

const deleteController = (serialNumber = 'A1') => api('deleteController', { params: { serialNumber } });

test.each(['totp_required', 'totp_expired'])(
  'a call refused with %s is repeated once after it is confirmed',
  async (code) => {
    const { calls, confirm } = stubServer(code);
    const call = deleteController();
    await vi.waitFor(() => expect(isConfirmationAsked()).toBe(true));
    confirm();
    await call;
    expect(calls).toEqual(['DELETE /api/v1/controllers/A1/', 'DELETE /api/v1/controllers/A1/']);
    expect(isConfirmationAsked()).toBe(false);
  },
);

test('one that is refused again is not repeated a second time', async () => {
  const { calls } = stubServer();
  const call = deleteController();
  await vi.waitFor(() => expect(isConfirmationAsked()).toBe(true));
  answerConfirmation(true);
  await expect(call).rejects.toMatchObject({ status: 403, code: 'totp_required' });
  expect(calls).toHaveLength(2);
  expect(isConfirmationAsked()).toBe(false);
});

test('a call without a confirmation fails as it was refused, and is not repeated', async () => {
  const { calls } = stubServer();
  const call = deleteController();
  await vi.waitFor(() => expect(isConfirmationAsked()).toBe(true));
  answerConfirmation(false);
  await expect(call).rejects.toMatchObject({ status: 403, code: 'totp_required' });
  expect(calls).toHaveLength(1);
});

test('concurrent calls of one scope share one question', async () => {
  const { calls, confirm } = stubServer();
  const both = Promise.all([deleteController('A1'), deleteController('B2')]);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await vi.waitFor(() => expect(isConfirmationAsked()).toBe(true));
  confirm();
  await both;
  expect(calls).toHaveLength(4);
  expect(isConfirmationAsked()).toBe(false);
});

test('calls of two scopes are asked one after the other', async () => {
  const { confirm } = stubServer();
  const first = deleteController();
  await vi.waitFor(() => expect(isConfirmationAsked()).toBe(true));
  const second = api('disableTotp').catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve));
  confirm();
  await first;
  expect(isConfirmationAsked()).toBe(true);
  answerConfirmation(false);
  expect(await second).toMatchObject({ code: 'totp_required' });
  expect(isConfirmationAsked()).toBe(false);
});

test('a refusal of a call that has no scope, or for another reason, asks nothing', async () => {
  stubServer();
  await expect(api('listOrganizations')).rejects.toMatchObject({ code: 'totp_required' });
  stubServer('role_forbidden');
  await expect(deleteController()).rejects.toMatchObject({ code: 'role_forbidden' });
  expect(isConfirmationAsked()).toBe(false);
});
