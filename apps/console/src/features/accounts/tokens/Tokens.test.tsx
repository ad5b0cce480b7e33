import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, refuseFields } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const made = {
  id: '1',
  name: 'Nightly report',
  prefix: 'pult_pat_abcd',
  scopes: ['controllers.read', 'telemetry.read'],
  networks: ['10.0.0.0/8'],
  createdAt: '2026-11-01T10:00:00Z',
  expiresAt: '2027-11-01T10:00:00Z',
  isExpired: false,
  lastUsedAt: null,
  lastUsedFrom: null,
};
const secret = 'pult_pat_abcdefghijklmnopqrstuvwxyz0123456789';

async function open(answers: Answers) {
  const view = renderConsole('/security', {
    locale: 'en',
    answers: { listSessions: () => [], ...answers },
  });
  return { ...view, section: within(await screen.findByRole('region', { name: 'Tokens' })) };
}

async function openForm(answers: Answers) {
  const { section, ...view } = await open(answers);
  fireEvent.click(section.getByRole('button', { name: 'Create token' }));
  return { ...view, form: within(await screen.findByRole('dialog', { name: 'New token' })) };
}

test('lists tokens with what they may, from where, and until when', async () => {
  const over = { ...made, id: '2', name: 'Old', isExpired: true, networks: [] };
  const used = { ...made, id: '3', expiresAt: null, lastUsedAt: made.createdAt, lastUsedFrom: '10.1.1.1' };
  const { section } = await open({ listTokens: () => [made, over, used] });
  expect(await section.findAllByText('pult_pat_abcd…')).toHaveLength(3);
  expect(section.getAllByText('2 scopes')).toHaveLength(3);
  expect(section.getAllByText('only from 10.0.0.0/8')).toHaveLength(2);
  section.getByText(/^until /);
  section.getByText(/^ended /);
  section.getByText('no end');
  section.getByText(/^last used .* from 10\.1\.1\.1$/);
});

test('a token is made of what is chosen, and shown once', async () => {
  const { form, calls } = await openForm({ createToken: () => ({ ...made, token: secret }) });
  fireEvent.change(form.getByLabelText('Name'), { target: { value: ' Nightly report ' } });
  fireEvent.change(form.getByLabelText('Good for'), { target: { value: 'never' } });
  fireEvent.change(form.getByLabelText('Only from these addresses'), {
    target: { value: '10.0.0.0/8, 192.0.2.7' },
  });
  expect(form.queryByRole('checkbox')).toBeNull();
  fireEvent.click(form.getByRole('radio', { name: 'Choose one by one' }));
  fireEvent.click(form.getByRole('checkbox', { name: /^see the controllers/ }));
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Token created' }));
  shown.getByText(secret);
  shown.getByText(
    `curl -H "authorization: Bearer ${secret}" ${window.location.origin}/api/v1/organizations/`,
  );
  expect(calls.find(({ name }) => name === 'createToken')?.body).toEqual({
    name: 'Nightly report',
    scopes: ['controllers.read'],
    expiresAt: null,
    networks: ['10.0.0.0/8', '192.0.2.7'],
  });
  fireEvent.click(shown.getByRole('button', { name: 'Done' }));
  await expect.poll(() => screen.queryByText(secret)).toBeNull();
});

test('no choice of many scopes holds one that lets others in', async () => {
  const { form } = await openForm({});
  // One by one goes on from there.
  const choose = (name: string) => {
    fireEvent.click(form.getByRole('radio', { name }));
    fireEvent.click(form.getByRole('radio', { name: 'Choose one by one' }));
  };
  choose('All that is usual');
  const isChecked = (name: RegExp) => form.getByRole<HTMLInputElement>('checkbox', { name }).checked;
  expect(isChecked(/^delete a controller/)).toBe(true);
  for (const name of [/^manage tokens/, /^give or end access/, /^manage guest links/]) {
    expect(isChecked(name)).toBe(false);
  }
  choose('Only read');
  expect(isChecked(/^delete a controller/)).toBe(false);
  expect(isChecked(/^see the controllers/)).toBe(true);
});

test('a token without a name or a scope is not asked for, and a refused field is marked', async () => {
  const { form, calls } = await openForm({
    createToken: () => refuseFields({ networks: ['Enter addresses or networks.'] }),
  });
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  await form.findByText('Name the token, so that you know it later');
  form.getByText('Choose at least one scope');
  expect(calls.some(({ name }) => name === 'createToken')).toBe(false);
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'CI' } });
  fireEvent.click(form.getByRole('radio', { name: 'Only read' }));
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  await screen.findByText('Enter addresses or networks.');
  const field = form.getByLabelText('Only from these addresses');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
});

test('asks before it deletes a token', async () => {
  const { section, calls } = await open({ listTokens: () => [made], deleteToken: () => undefined });
  fireEvent.click(await section.findByRole('button', { name: 'Delete the token “Nightly report”' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the token “Nightly report”?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await screen.findByText('Token deleted');
  expect(calls.find(({ name }) => name === 'deleteToken')?.params).toEqual({ tokenId: '1' });
});
