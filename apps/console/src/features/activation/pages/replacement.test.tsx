import type { Replacement } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answers, makeController, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { keepToken } from '../activation-token.ts';

beforeEach(() => keepToken(''));

const present = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU';
const candidate = 'SHA256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0';

function makeReplacement(changes: Partial<Replacement> = {}): Replacement {
  return {
    organization: { id: organization.id, name: organization.name },
    present: {
      fingerprint: present,
      connectionKind: 'wiren-board',
      model: 'Wiren Board 8',
      status: 'offline',
      lastSeenAt: '2025-11-20T09:40:00Z',
    },
    candidate: { fingerprint: candidate, connectionKind: 'agent', model: 'Raspberry Pi 4' },
    refusal: null,
    ...changes,
  };
}

function render(changes: Partial<Replacement> = {}, locale: 'ru' | 'en' = 'en', more: Answers = {}) {
  const replacement = makeReplacement(changes);
  return renderConsole('/controllers?token=7WC5YJ', {
    locale,
    answers: {
      validateActivation: () => ({ controllerSerialNumber: 'A1B2C3D4', replacement }),
      activateController: () => makeController(),
      ...more,
    },
  });
}

const panel = (name = 'Controller A1B2C3D4 has a device already.') => screen.findByRole('region', { name });

describe('a device that would replace the one of a controller', () => {
  it('the page shows both devices and offers no form in which the controller could be added by mistake', async () => {
    render();
    const shown = within(await panel());
    for (const text of [present, candidate, /Wiren Board 8/, /Raspberry Pi 4/, /Boiler Works/]) {
      expect(shown.getByText(text)).toBeTruthy();
    }
    expect(shown.getByText('Last seen').nextElementSibling?.textContent).toMatch(/ago|20/);
    expect(shown.getByText('pult-agent status')).toBeTruthy();
    expect(shown.queryByText('The present device is online now.')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add controller' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Organization' })).toBeNull();
  });

  it.each([
    ['en', 'Controller A1B2C3D4 has a device already.', 'now', 'The present device is online now.'],
    ['ru', 'У контроллера A1B2C3D4 уже есть устройство.', 'сейчас', 'Нынешнее устройство сейчас на связи.'],
  ] as const)(
    'the page warns where the present device is online, in %s',
    async (locale, name, now, warning) => {
      render({ present: { ...makeReplacement().present, status: 'online' } }, locale);
      const shown = within(await panel(name));
      expect(shown.getByText(now)).toBeTruthy();
      expect(shown.getByText(warning)).toBeTruthy();
    },
  );

  it('the page replaces the very device that it shows once the serial number is typed, and opens the controller', async () => {
    const { callsOf, address } = render();
    fireEvent.click(within(await panel()).getByRole('button', { name: 'Replace device' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Replace the device of A1B2C3D4?' }));
    const confirm = dialog.getByRole('button', { name: 'Replace' });
    expect(confirm).toHaveProperty('disabled', true);
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'A1B2C3D4' } });
    fireEvent.click(confirm);
    expect(await screen.findByText('The device of controller A1B2C3D4 was replaced')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(`/organizations/${organization.id}/controllers/A1B2C3D4`));
    expect(callsOf('activateController').map(({ body }) => body)).toEqual([
      { token: '7WC5YJ', organization: organization.id, replace: present },
    ]);
    expect(callsOf('updateController')).toEqual([]);
  });

  it.each([
    ['en', 'Controller A1B2C3D4 has a device already.', /^Only an admin/, 'Replace device'],
    [
      'ru',
      'У контроллера A1B2C3D4 уже есть устройство.',
      /^Заменить устройство может/,
      'Заменить устройство',
    ],
  ] as const)(
    'the page gives a member the link to pass on to an admin, in %s',
    async (locale, name, text, button) => {
      render({ refusal: 'replacement_needs_admin' }, locale);
      const shown = within(await panel(name));
      expect(shown.getByText(text)).toBeTruthy();
      expect(shown.getByText(`${window.location.origin}/controllers?token=7WC5YJ`)).toBeTruthy();
      expect(shown.queryByRole('button', { name: button })).toBeNull();
    },
  );

  it.each([
    ['replacement_unproven', /Delete the controller first/],
    ['serial_number_proven', /Open the link that it shows/],
  ] as const)('the page says why nobody can replace the device: %s', async (refusal, text) => {
    render({ refusal });
    const shown = within(await panel());
    expect(shown.getByText(text)).toBeTruthy();
    expect(shown.queryByRole('button', { name: 'Replace device' })).toBeNull();
  });

  it('the page checks the token again where the controller has got a device meanwhile', async () => {
    let isClaimed = false;
    const { callsOf } = render({}, 'en', {
      validateActivation: () => ({
        controllerSerialNumber: 'A1B2C3D4',
        ...(isClaimed ? { replacement: makeReplacement() } : {}),
      }),
      activateController: () => {
        isClaimed = true;
        return refuse(409, 'replacement_not_asked', 'It has a device.');
      },
    });
    await screen.findByText('A1B2C3D4');
    const button = await screen.findByRole('button', { name: 'Add controller' });
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
    fireEvent.click(button);
    expect(await panel()).toBeTruthy();
    expect(callsOf('validateActivation')).toHaveLength(2);
  });
});
