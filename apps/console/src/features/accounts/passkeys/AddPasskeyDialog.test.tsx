import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, organization, refuseFields } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

class Credential {
  static parseCreationOptionsFromJSON = (options: unknown) => options;
  static parseRequestOptionsFromJSON = (options: unknown) => options;
  toJSON = () => ({ id: 'made' });
}

afterEach(() => vi.unstubAllGlobals());

/** The form of a new passkey, in a browser that makes one so. */
async function open(create: () => unknown, answers: Answers = {}) {
  vi.stubGlobal('PublicKeyCredential', Credential);
  const made = vi.fn(async () => create());
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create: made } });
  renderConsole('/security', {
    locale: 'en',
    answers: {
      getCurrentUser: () => ({
        id: organization.id,
        email: 'a@example.com',
        totpEnabled: true,
        hasRecoveryCodes: true,
        hasTotpRequiredOrg: false,
        isAdministrator: false,
        locale: 'en',
      }),
      listSessions: () => [],
      createPasskeyOptions: () => ({ challenge: 'c' }),
      ...answers,
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Add passkey' }));
  await screen.findByRole('dialog');
  const submit = (name: string) => {
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } });
    fireEvent.click(screen.getByRole('button', { name: 'Create' }));
  };
  return { made, submit };
}

test('a name that no passkey may have is refused before the browser makes one', async () => {
  const { made, submit } = await open(() => new Credential());
  submit('Lap\u202etop');
  await screen.findByText('Control characters are not allowed');
  expect(made).not.toHaveBeenCalled();
});

test('what the server has against a name stands at its field', async () => {
  const { submit } = await open(() => new Credential(), {
    addPasskey: () => refuseFields({ name: ['Odd name.'] }),
  });
  submit('Laptop');
  await screen.findByText('Odd name.');
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
});

test('a device that has one of the user’s passkeys says so', async () => {
  const { submit } = await open(() => {
    throw new DOMException('known', 'InvalidStateError');
  });
  submit('Laptop');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('This device already has a passkey of yours'),
  );
});
