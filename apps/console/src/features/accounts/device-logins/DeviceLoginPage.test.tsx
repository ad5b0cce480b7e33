import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, refuseFields } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const login = {
  hostName: 'laptop-7',
  address: '198.51.100.7',
  ownAddress: '203.0.113.9',
  isSameNetwork: false,
  scopes: ['controllers.read', 'tunnels.open', 'grants.manage'],
  createdAt: '2026-11-20T10:00:00Z',
  expiresAt: '2026-11-20T10:10:00Z',
};

async function enterCode(answers: Answers, code = 'wdjb-mjht') {
  const view = renderConsole('/device', { locale: 'en', answers });
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: code } });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  return view;
}

test('a program of another network is warned of, and what lets others in is chosen by hand alone', async () => {
  const { calls } = await enterCode({ findDeviceLogin: () => login, approveDeviceLogin: () => undefined });
  const section = within(await screen.findByRole('region', { name: 'Who asks for access' }));
  for (const said of ['laptop-7', '198.51.100.7', '203.0.113.9']) section.getByText(said);
  expect(screen.getByRole('alert').textContent).toContain('198.51.100.7 is not yours');
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.map(({ value, checked }) => [value, checked])).toEqual([
    ['controllers.read', true],
    ['tunnels.open', true],
    ['grants.manage', false],
  ]);
  fireEvent.click(screen.getByRole('checkbox', { name: /tunnels\.open|open|connect/i }));
  fireEvent.click(screen.getByRole('button', { name: 'Allow' }));
  await screen.findByText(/Go back to the program/);
  expect(screen.getByRole('link', { name: 'To the tokens' }).getAttribute('href')).toBe('/security#tokens');
  const approved = calls.find(({ name }) => name === 'approveDeviceLogin');
  expect(approved?.body).toEqual({ userCode: 'wdjb-mjht', scopes: ['controllers.read'] });
});

test('a program of the same network is no alarm, and can be refused', async () => {
  const { calls } = await enterCode({
    findDeviceLogin: () => ({ ...login, hostName: '', isSameNetwork: true }),
    denyDeviceLogin: () => undefined,
  });
  await screen.findByText('not named');
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Refuse' }));
  await screen.findByText('The program is refused');
  expect(calls.find(({ name }) => name === 'denyDeviceLogin')?.body).toEqual({ userCode: 'wdjb-mjht' });
});

test('a wrong code is told in its field', async () => {
  await enterCode({ findDeviceLogin: () => refuseFields({ userCode: ['There is no such code.'] }) });
  await screen.findByText('There is no such code.');
  expect(screen.getByLabelText('Code').getAttribute('aria-invalid')).toBe('true');
  fireEvent.change(screen.getByLabelText('Code'), { target: { value: ' ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Enter the code');
});
