import { startPasswordSshServer } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { addController, type Site } from './site.ts';
import { startTerminal } from './terminal-client.ts';

let site: Site;

beforeAll(async () => {
  site = await startLightSite();
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

test('a password opens a shell; a wrong one is a clear failure', async () => {
  await using device = await startPasswordSshServer();
  await using controller = await addController(site, { ssh: device.address });
  const login = (password: string) =>
    startTerminal(controller, { username: device.user, credential: { method: 'password', password } });

  const wrong = await login('wrong');
  expect(await wrong.nextMessage()).toMatchObject({ type: 'failed', code: 'ssh_authentication_failed' });

  const terminal = await login(device.password);
  expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
  terminal.type('echo in the shell; exit 4\r');
  expect(await terminal.nextMessage()).toMatchObject({ type: 'exit', exitCode: 4 });
  expect(terminal.output).toContain('in the shell');
});

test('questions of the device are asked and answered', async () => {
  await using device = await startPasswordSshServer({ method: 'keyboard-interactive' });
  await using controller = await addController(site, { ssh: device.address });
  const terminal = await startTerminal(controller, {
    username: device.user,
    credential: { method: 'password', password: '' },
  });
  expect(await terminal.nextMessage()).toMatchObject({
    type: 'prompt',
    title: 'Two questions',
    instructions: 'Answer both',
    prompts: [
      { text: 'Password: ', echo: false },
      { text: 'Code: ', echo: true },
    ],
  });
  terminal.send({ type: 'answer', answers: [device.password, '123456'] });
  expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
  terminal.close();
});

test('a device without sshd is a clear failure', async () => {
  const device = await startPasswordSshServer();
  await device.stop();
  await using controller = await addController(site, { ssh: device.address });
  const terminal = await startTerminal(controller);
  expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'service_refused' });
});
