import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../../../shared/testing/render-part.tsx';
import { type Answers, createFakeApi, refuse } from '../../testing/fake-api.ts';
import { GuestPage } from './GuestPage.tsx';

const token = 'a'.repeat(43);

function open(answers: Answers = {}, given = token) {
  const api = createFakeApi(answers);
  vi.stubGlobal('fetch', api.fetch);
  renderPart(<GuestPage token={given} Terminal={() => <p>The terminal</p>} />);
  return api;
}

function enter(pin: string) {
  fireEvent.change(screen.getByLabelText('PIN'), { target: { value: pin } });
  fireEvent.click(screen.getByRole('button', { name: 'Enter' }));
}

test('a link that is over says whom to ask, and asks for no PIN any more', async () => {
  const over = 'The link does not work: ask whoever sent it for a new one.';
  open({ enterAsGuest: () => refuse(404, 'guest_link_invalid', over) });
  enter('01566358');
  await screen.findByText(over);
  expect(screen.queryByLabelText('PIN')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a PIN is grouped as it is typed or pasted, and sent as digits', async () => {
  const { callsOf } = open({
    enterAsGuest: () => ({ kind: 'terminal', guestId: 'x', serialNumber: 'A1', isReadOnly: false }),
  });
  fireEvent.change(screen.getByLabelText('PIN'), { target: { value: '0156-6358 ' } });
  expect(screen.getByLabelText('PIN')).toHaveProperty('value', '0156 6358');
  fireEvent.click(screen.getByRole('button', { name: 'Enter' }));
  await screen.findByText('The terminal');
  expect(callsOf('enterAsGuest')[0]?.body).toEqual({ token, pin: '01566358' });
});

test.each(['', 'abc', `${token}x`, `${token}/`])(
  'a link that cannot be one (%s) asks for no PIN',
  (given) => {
    open({}, given);
    expect(screen.getByRole('alert').textContent).toContain('not whole');
    expect(screen.queryByLabelText('PIN')).toBeNull();
  },
);

test('a wrong PIN says how many tries are left, and the next one is asked for', async () => {
  open({ enterAsGuest: () => refuse(403, 'guest_pin_wrong', 'Wrong PIN. Attempts left: 4.') });
  enter('01566358');
  await screen.findByText('Wrong PIN. Attempts left: 4.');
  expect(screen.getByLabelText('PIN')).toHaveProperty('value', '');
});

test.each([
  [false, 'Log in to your own account'],
  [true, 'Open the console'],
])('a guest’s link leads on to the console too, to who is logged in (%s) as well', (isIn, words) => {
  localStorage.setItem('isAuthorized', String(isIn));
  open({}, '');
  expect(screen.getByRole('link', { name: words }).getAttribute('href')).toBe('/');
});
