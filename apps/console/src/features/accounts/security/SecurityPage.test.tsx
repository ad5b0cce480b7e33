import type { SessionDevice } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { type Answers, organization, refuse, refuseFields, throttle } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const chrome: SessionDevice = { browser: 'Chrome', system: 'Windows', form: 'desktop' };
const curl: SessionDevice = { browser: 'curl/8.14.1', system: null, form: 'program' };
const makeSession = (id: string, isCurrent = false, device = chrome) => ({
  id,
  address: '203.0.113.7',
  userAgent: 'as it came',
  device,
  createdAt: '2026-11-01T10:00:00Z',
  lastUsedAt: `2026-11-20T10:0${id}:00Z`,
  isCurrent,
});
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `AAAAA-BBBBB-CCCCC-DDDDD-EEEE${index}`);

interface UserChanges {
  totpEnabled?: boolean;
  hasRecoveryCodes?: boolean;
  hasTotpRequiredOrg?: boolean;
}

/** The security page of a user whom the test may change. */
async function open(changes: UserChanges = {}, answers: Answers = {}, locale: 'ru' | 'en' = 'en') {
  const user = {
    id: 'u',
    email: 'me@example.com',
    totpEnabled: false,
    hasRecoveryCodes: true,
    hasTotpRequiredOrg: false,
    locale,
    ...changes,
  };
  const view = renderConsole('/security', {
    locale,
    answers: { getCurrentUser: () => user, listSessions: () => [makeSession('1', true)], ...answers },
  });
  await screen.findByRole('heading', { level: 1 });
  return { ...view, user };
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

async function changePassword(answers: Answers) {
  const view = await open({}, answers);
  type('Current password', 'the old one');
  type('New password', 'correct horse');
  press('Change password');
  return view;
}

test('the security page asks nothing of any organization', async () => {
  const { calls } = await open();
  await screen.findByText('this device');
  expect(calls.filter(({ params }) => params.organizationId !== undefined)).toEqual([]);
});

// spec: 2.29, 7.08
test('spec 7: the password is changed by the old one', async () => {
  const { callsOf } = await changePassword({ changePassword: () => undefined });
  await screen.findByText('Password changed');
  expect(callsOf('changePassword').map(({ body }) => body)).toEqual([
    { oldPassword: 'the old one', newPassword: 'correct horse' },
  ]);
  expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('');
  expect(screen.getByLabelText('Current password').getAttribute('autocomplete')).toBe('current-password');
});

// spec: 8.05
test('spec 8: what is wrong with a password change stands beside its field, without a toast', async () => {
  await changePassword({ changePassword: () => refuseFields({ oldPassword: ['Wrong password.'] }) });
  await screen.findByText('Wrong password.');
  expect(screen.getByLabelText('Current password').getAttribute('aria-invalid')).toBe('true');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
});

test('too many wrong passwords are told with a countdown', async () => {
  await changePassword({ changePassword: () => throttle(30) });
  await screen.findByText(/^Too many attempts. Try again in (30|29) seconds$/);
});

test('an incomplete password change is told before the server is asked', async () => {
  const { callsOf } = await open();
  press('Change password');
  await screen.findByText('Enter your current password');
  expect(screen.getByText('The password does not meet the rules')).toBeTruthy();
  expect(callsOf('changePassword')).toHaveLength(0);
});

const setup = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Pult:me@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  qrCode: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E',
};

async function turnOn() {
  const view = await open(
    {},
    {
      setUpTotp: () => setup,
      activateTotp: ({ body }) => {
        if (JSON.stringify(body) !== '{"code":"123456"}') return refuseFields({ code: ['Wrong.'] });
        view.user.totpEnabled = true;
        return { recoveryCodes };
      },
    },
  );
  press('Turn on');
  const dialog = await screen.findByRole('dialog', { name: 'Turn the second factor on' });
  await within(dialog).findByText(setup.secret);
  return { ...view, dialog };
}

// spec: 7.09, 7.10
test('spec 7: TOTP is set up with QR code and secret, and activated by a code', async () => {
  const { dialog, callsOf } = await turnOn();
  expect(
    within(dialog).getByRole('img', { name: 'QR code for the authenticator app' }).getAttribute('src'),
  ).toBe(setup.qrCode);
  type('The code that the app shows', '000000');
  await within(dialog).findByText('The code is wrong or was already used');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  type('The code that the app shows', '123456');
  await screen.findByRole('dialog', { name: 'Recovery codes' });
  expect(callsOf('activateTotp').at(-1)?.body).toEqual({ code: '123456' });
});

test('the recovery codes are shown once, can be saved as a file, and close only when that is ticked', async () => {
  await turnOn();
  type('The code that the app shows', '123456');
  const dialog = await screen.findByRole('dialog', { name: 'Recovery codes' });
  for (const code of recoveryCodes) expect(within(dialog).getByText(code)).toBeTruthy();

  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob);
    return 'blob:codes';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Download' }));
  expect(names).toEqual(['recovery-codes.txt']);
  expect(await blobs[0]?.text()).toBe(
    `Recovery codes: Pult, me@example.com\n\n${recoveryCodes.join('\n')}\n`,
  );

  fireEvent.keyDown(window, { key: 'Escape' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Done' }));
  expect(screen.getByRole('dialog', { name: 'Recovery codes' })).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'I saved the codes in a safe place' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Done' }));
  await screen.findByText('The second factor is on');
  await waitFor(() => expect(screen.queryByText(recoveryCodes[0] ?? '')).toBeNull());
  expect(await screen.findByRole('button', { name: 'Turn off' })).toBeTruthy();
});

test('turning TOTP off warns one whose organization requires it', async () => {
  await open({ totpEnabled: true, hasTotpRequiredOrg: true });
  press('Turn off');
  const dialog = await screen.findByRole('dialog', { name: 'Turn the second factor off?' });
  expect(dialog.textContent).toContain('Without one you lose access to its controllers.');
});

// spec: 7.11
test('spec 7: TOTP is turned off after its confirmation', async () => {
  let isConfirmed = false;
  const { user, callsOf } = await open(
    { totpEnabled: true },
    {
      disableTotp: () => {
        if (!isConfirmed) return refuse(403, 'totp_required');
        user.totpEnabled = false;
        return undefined;
      },
      verifyTotp: () => {
        isConfirmed = true;
        return { scope: 'disable_user_totp', expiresAt: '2026-11-20T10:00:00Z' };
      },
    },
  );
  press('Turn off');
  const dialog = await screen.findByRole('dialog', { name: 'Turn the second factor off?' });
  expect(dialog.textContent).not.toContain('lose access');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off' }));
  await screen.findByText('Enter a code to turn the second factor off.');
  type('Authenticator code', '123456');
  await screen.findByText('The second factor is off');
  expect(callsOf('verifyTotp').map(({ body }) => body)).toEqual([
    { scope: 'disable_user_totp', code: '123456' },
  ]);
  expect(await screen.findByRole('button', { name: 'Turn on' })).toBeTruthy();
});

test('new recovery codes replace the old ones', async () => {
  const { callsOf } = await open(
    { totpEnabled: true, hasRecoveryCodes: false },
    { regenerateRecoveryCodes: () => ({ recoveryCodes }) },
  );
  expect(screen.getByText(/You have no recovery codes left/)).toBeTruthy();
  press('New recovery codes');
  fireEvent.click(await screen.findByRole('button', { name: 'Make new codes' }));
  await screen.findByRole('dialog', { name: 'Recovery codes' });
  expect(screen.getByText(recoveryCodes[9] ?? '')).toBeTruthy();
  expect(callsOf('regenerateRecoveryCodes')).toHaveLength(1);
});

const withoutTotp = () => ({ IS_ON_PREMISE: true, TOTP_AUTH_ENABLED: false, MAX_ACTIVATED_CONTROLLERS: 0 });

test('spec 3: TOTP_AUTH_ENABLED off hides TOTP from who has none', async () => {
  await open({}, { getEnvironments: withoutTotp });
  expect(screen.queryByRole('region', { name: 'Second factor' })).toBeNull();
});

test('spec 3: TOTP_AUTH_ENABLED off leaves who has TOTP the way to turn it off', async () => {
  await open({ totpEnabled: true }, { getEnvironments: withoutTotp });
  expect(screen.getByRole('button', { name: 'Turn off' })).toBeTruthy();
});

test('sessions are told by device, address and times, this device first', async () => {
  const unknown: SessionDevice = { browser: null, system: null, form: 'program' };
  const sessions = [makeSession('3', false, unknown), makeSession('2', false, curl), makeSession('1', true)];
  await open({}, { listSessions: () => sessions });
  const section = within(screen.getByRole('region', { name: 'Where you are logged in' }));
  const items = (await section.findAllByRole('listitem')).map(({ textContent }) => textContent);
  const [first, ...others] = items;
  expect(first).toMatch(
    /^Chrome on Windowsthis device203\.0\.113\.7Active 20 Nov 2026.*Logged in 1 Nov 2026/,
  );
  expect(others.some((text) => /^curl/.test(text))).toBe(true);
  // In its own words, rather than none.
  expect(others.some((text) => /^as it came/.test(text))).toBe(true);
});

test('one session is ended, or all others at once; this one is not offered', async () => {
  let sessions = [makeSession('1', true), makeSession('2'), makeSession('3'), makeSession('4', false, curl)];
  const { callsOf } = await open(
    {},
    {
      listSessions: () => sessions,
      terminateSessions: ({ body }) => {
        const { sessions: ended } = body as { sessions: string[] }; // the console's own body
        sessions = sessions.filter(({ id }) => !ended.includes(id));
        return undefined;
      },
    },
  );
  expect(await screen.findAllByRole('button', { name: /^End the session/ })).toHaveLength(3);
  press('End the session: curl/8.14.1');
  await screen.findByText('Session ended');
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^End the session/ })).toHaveLength(2));
  press('End all others');
  const dialog = await screen.findByRole('dialog', { name: 'End the other sessions?' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'End all others' }));
  await screen.findByText('The other sessions are ended');
  await waitFor(() => expect(screen.queryByRole('button', { name: /^End the session/ })).toBeNull());
  expect(callsOf('terminateSessions').map(({ body }) => body)).toEqual([
    { sessions: ['4'] },
    { sessions: ['3', '2'] },
  ]);
});

test('another language is told to the server, whose mails follow it; its refusal is no matter', async () => {
  const { callsOf } = await open({}, { updateCurrentUser: () => refuse(500, 'internal_error') });
  const region = screen.getByRole('region', { name: 'Language and theme' });
  fireEvent.click(within(region).getByRole('radio', { name: 'Русский' }));
  await screen.findByRole('heading', { name: 'Учётная запись' });
  await waitFor(() =>
    expect(callsOf('updateCurrentUser').map(({ body }) => body)).toEqual([{ locale: 'ru' }]),
  );
  expect(document.querySelector('.Toastify__toast')).toBeNull();
});

test('the language is told to nobody without a login', async () => {
  const { callsOf } = renderConsole('/login', { isAuthorized: false });
  fireEvent.click(await screen.findByRole('radio', { name: 'Русский' }));
  await screen.findByRole('heading', { name: 'Вход' });
  expect(callsOf('updateCurrentUser')).toHaveLength(0);
});

test('the roles of the user stand on the page', async () => {
  await open();
  const section = within(screen.getByRole('region', { name: 'Roles in organizations' }));
  expect(await section.findByText(organization.name)).toBeTruthy();
});
