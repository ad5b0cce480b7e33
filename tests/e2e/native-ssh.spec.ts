import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSshKey, makeTempDir, runCommand } from '@pult/testkit';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';

test('a key added on the Security page opens a controller by the command that its page offers', async ({
  page,
  installation,
  device,
}) => {
  const { server, ssh } = installation;
  await device.claim();
  const folder = await makeTempDir('native-ssh');
  const key = await makeSshKey(join(folder.path, 'key'));
  await logIn(page, installation);

  await page.goto(`${server.url}/security`);
  const section = page.getByRole('region', { name: 'SSH keys' });
  await section.getByRole('button', { name: 'Add key' }).click();
  await page.getByLabel('Public key').fill(`${key.publicKey} me@laptop`);
  await expect(page.getByLabel('Name')).toHaveValue('me@laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Add key' }).click();
  await expect(section.getByText(key.fingerprint)).toBeVisible();
  await expect(section.getByText('Never used')).toBeVisible();
  const shown = await section
    .getByText(/^SHA256:/)
    .last()
    .textContent();

  await page.goto(
    `${server.url}/organizations/${installation.organization.id}/controllers/${device.serialNumber}`,
  );
  const command = (await page.getByText(/^ssh -J /).textContent()) ?? '';
  const jump = /^ssh -J (\S+) root@(\S+)$/.exec(command);
  expect(jump?.[2]).toBe(device.serialNumber);
  const [port = ''] = /\d+$/.exec(jump?.[1] ?? '') ?? [];
  // What a person does who compares the fingerprints: accepts this key and no other.
  const scan = await runCommand('ssh-keyscan', ['-t', 'ed25519', '-p', port, 'localhost']);
  const fingerprint = await runCommand('ssh-keygen', ['-l', '-f', '-'], { input: scan.stdout });
  expect(fingerprint.stdout).toContain(shown);
  const config = join(folder.path, 'config');
  const known = `${scan.stdout}\ndevice ${ssh.hostKey.publicKey}\n`;
  await writeFile(join(folder.path, 'known-hosts'), known);
  await writeFile(
    config,
    [
      `UserKnownHostsFile ${join(folder.path, 'known-hosts')}`,
      'GlobalKnownHostsFile /dev/null',
      'IdentitiesOnly yes',
      'IdentityAgent none',
      'BatchMode yes',
      'Host localhost',
      `  IdentityFile ${key.path}`,
      `Host ${device.serialNumber}`,
      `  IdentityFile ${ssh.clientKey.path}`,
      '  HostKeyAlias device',
    ].join('\n'),
  );
  const target = `${ssh.user}@${device.serialNumber}`;
  const answer = await runCommand('ssh', ['-F', config, '-J', jump?.[1] ?? '', target, 'echo hello']);
  expect(answer).toMatchObject({ code: 0, stdout: 'hello\n' });

  await page.goto(`${server.url}/security`);
  await expect(section.getByText(/^Last used /)).toBeVisible();
  await section.getByRole('button', { name: 'Delete the key me@laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(section.getByText(key.fingerprint)).toHaveCount(0);
  const refused = await runCommand('ssh', ['-F', config, '-J', jump?.[1] ?? '', target, 'echo hello']);
  expect(refused.stderr).toContain('Permission denied (publickey)');
  await folder.remove();
});
