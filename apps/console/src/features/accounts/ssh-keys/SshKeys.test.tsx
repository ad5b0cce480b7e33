import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, asRole, refuseFields } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const environments = {
  IS_ON_PREMISE: true,
  ON_PREMISE_VERSION: '0.1.0',
  TOTP_AUTH_ENABLED: true,
  MAX_ACTIVATED_CONTROLLERS: 0,
  SERVICE_NAME: 'Pult',
  SERVICE_STATUS_URL: null,
  LANGUAGES: ['ru', 'en'],
  MAP_STYLE_URL: null,
  MAP_TILES_URL: null,
  TUNNEL_DOMAIN: 'cloud.example.com',
  SSH_JUMP: { host: 'cloud.example.com', port: 2222, hostKeyFingerprint: 'SHA256:hostkey' },
};
const makeKey = (id: string, name: string, lastUsedAt: string | null = null) => ({
  id,
  name,
  publicKey: 'ssh-ed25519 AAAA',
  fingerprint: `SHA256:${name}`,
  createdAt: '2026-11-01T10:00:00Z',
  lastUsedAt,
});

async function open(answers: Answers) {
  const view = renderConsole('/security', {
    locale: 'en',
    answers: { getEnvironments: () => environments, listSessions: () => [], ...answers },
  });
  await screen.findByRole('heading', { level: 1 });
  return view;
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('lists the keys by their fingerprints, with the command and the server’s own fingerprint', async () => {
  await open({
    listSshKeys: () => [makeKey('1', 'Laptop', '2026-11-20T10:00:00Z'), makeKey('2', 'Desk')],
  });
  const section = await screen.findByRole('region', { name: 'SSH keys' });
  await within(section).findByText('SHA256:Laptop');
  within(section).getByText(/^Last used /);
  within(section).getByText('Never used');
  within(section).getByText('ssh -J a@example.com@cloud.example.com:2222 root@<serial number>');
  within(section).getByText('SHA256:hostkey');
});

test('adds a key under the name that its comment gives', async () => {
  const keys: ReturnType<typeof makeKey>[] = [];
  const { calls } = await open({
    listSshKeys: () => keys,
    addSshKey: () => {
      keys.push(makeKey('1', 'me@laptop'));
      return keys[0];
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Add key' }));
  await screen.findByRole('dialog');
  type('Public key', 'ssh-ed25519 AAAAC3Nz me@laptop');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('me@laptop');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add key' }));
  await screen.findByText('SHA256:me@laptop');
  await screen.findByText('Key added');
  expect(calls.find(({ name }) => name === 'addSshKey')?.body).toEqual({
    name: 'me@laptop',
    publicKey: 'ssh-ed25519 AAAAC3Nz me@laptop',
  });
});

test('a private key is neither sent nor kept', async () => {
  const { calls } = await open({});
  fireEvent.click(await screen.findByRole('button', { name: 'Add key' }));
  await screen.findByRole('dialog');
  type('Public key', '-----BEGIN OPENSSH PRIVATE KEY-----\nsecret');
  await screen.findByText(/This is a private key, and it was not sent anywhere/);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Public key').value).toBe('');
  expect(calls.some(({ name }) => name === 'addSshKey')).toBe(false);
});

test('spec 8: what the server has against a key is told by a toast and at its field', async () => {
  await open({ addSshKey: () => refuseFields({ publicKey: ['This key has been added already.'] }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Add key' }));
  await screen.findByRole('dialog');
  type('Public key', 'ssh-ed25519 AAAAC3Nz');
  type('Name', 'Laptop');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add key' }));
  await screen.findByText('This key has been added already');
  await screen.findByText('This key has been added already.');
  expect(screen.getByLabelText('Public key').getAttribute('aria-invalid')).toBe('true');
});

test('asks before it deletes a key', async () => {
  let keys = [makeKey('1', 'Laptop')];
  const { calls } = await open({
    listSshKeys: () => keys,
    deleteSshKey: () => {
      keys = [];
      return undefined;
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete the key Laptop' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete the key Laptop?' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await screen.findByText('Key deleted');
  await waitFor(() => expect(screen.queryByText('SHA256:Laptop')).toBeNull());
  expect(calls.find(({ name }) => name === 'deleteSshKey')?.params).toEqual({ keyId: '1' });
});

test('says nothing of keys where the server has no jump host, except to whom has some', async () => {
  const off = { ...environments, SSH_JUMP: null };
  const view = await open({ getEnvironments: () => off });
  await screen.findByRole('region', { name: 'Password' });
  expect(screen.queryByRole('region', { name: 'SSH keys' })).toBeNull();
  view.unmount();
  await open({ getEnvironments: () => off, listSshKeys: () => [makeKey('1', 'Laptop')] });
  await screen.findByText(/SSH logins are turned off on this server/);
  expect(screen.queryByRole('button', { name: 'Add key' })).toBeNull();
  screen.getByRole('button', { name: 'Delete the key Laptop' });
});

test('a viewer, whom the jump host refuses, is offered no commands of OpenSSH', async () => {
  renderConsole('/organizations/o/controllers/A1B2C3D4', {
    locale: 'en',
    answers: {
      getEnvironments: () => environments,
      ...asRole('viewer'),
    },
  });
  await screen.findByText('Viewers cannot do this.');
  expect(screen.queryByRole('region', { name: 'From your own terminal' })).toBeNull();
});

test('shows at a controller how OpenSSH reaches it', async () => {
  renderConsole('/organizations/o/controllers/A1B2C3D4', {
    locale: 'en',
    answers: { getEnvironments: () => environments },
  });
  const part = await screen.findByRole('region', { name: 'From your own terminal' });
  within(part).getByText(/^ssh -J a@example\.com@cloud\.example\.com:2222 root@/);
  fireEvent.click(within(part).getByRole('button', { name: 'Files, VS Code, Ansible' }));
  await within(part).findByText(/^scp -J /);
  within(part).getByText(/Host \*\.ssh\.cloud\.example\.com/);
});
