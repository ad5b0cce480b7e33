import { createTestServer } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';
import { shortenCommand } from '../../own-command.ts';

// spec: 3.09, 7.44
it('tells the settings of the installation to anyone', async () => {
  await using server = await createTestServer({
    environment: {
      PUBLIC_URL: 'https://pult.example.com',
      MAX_ACTIVATED_CONTROLLERS: '7',
      SERVICE_NAME: 'Вышка',
      SERVICE_STATUS_URL: 'https://status.example.com/',
      TOTP_AUTH_ENABLED: 'false',
    },
  });
  const answer = await server.call('getEnvironments');
  expect(answer).toMatchObject({
    status: 200,
    body: {
      IS_ON_PREMISE: true,
      ON_PREMISE_VERSION: '0.0.0-test',
      TOTP_AUTH_ENABLED: false,
      MAX_ACTIVATED_CONTROLLERS: 7,
      SERVICE_NAME: 'Вышка',
      SERVICE_STATUS_URL: 'https://status.example.com/',
      LANGUAGES: ['ru', 'en'],
      MAP_STYLE_URL: null,
      MAP_TILES_URL: null,
      TUNNEL_DOMAIN: 'pult.example.com',
      MAIL_ENABLED: false,
      SIGN_IN_PROVIDER: null,
      PULT_COMMAND: 'npm run pult --',
      SSH_JUMP: null,
      WIREN_BOARD: null,
      WIREN_BOARD_OFF: { reason: 'tls_elsewhere', names: ['pult.example.com'], port: 7107 },
    },
  });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

it('tells nothing else: no secret of the configuration', async () => {
  const secret = 'an-enrolment-key-nobody-may-see';
  await using server = await createTestServer({ environment: { ENROLLMENT_KEY: secret } });
  const answer = await server.call('getEnvironments');
  expect(Object.keys(answer.body as object)).toHaveLength(17);
  expect(JSON.stringify(answer)).not.toContain(secret);
});

it('tells whether mail leaves the installation, and nothing of its mail server', async () => {
  const smtp = 'smtp://user:secret@mail.example.com:587';
  await using server = await createTestServer({
    environment: { SMTP_URL: smtp, MAIL_FROM: 'Pult <pult@example.com>' },
  });
  const { body } = await server.call('getEnvironments');
  expect(body).toMatchObject({ MAIL_ENABLED: true });
  expect(JSON.stringify(body)).not.toContain('mail.example.com');
});

it('tells where controllers of Wiren Board find it, where it takes them', async () => {
  await using server = await createTestServer({
    environment: {
      PUBLIC_URL: 'https://pult.example.com:8443',
      WB_DEVICE_CA: 'builtin',
      WB_TUNNEL_ADDRESS: 'frp.example.com:7200',
    },
  });
  const { body } = await server.call('getEnvironments');
  expect(body).toMatchObject({
    WIREN_BOARD: {
      serverUrl: 'https://pult.example.com:8443',
      agentUrl: 'https://agent.pult.example.com:8443/api-agent/v1/',
      tunnel: { host: 'frp.example.com', port: 7200 },
    },
    WIREN_BOARD_OFF: null,
  });
});

it.each([
  ['pult', 'pult'],
  ['./pult', './pult'],
  ['/home/anna/pult-0.2.0-linux-x64/pult', './pult'],
  ['npm run pult --', 'npm run pult --'],
])('tells how commands are called, and not in which folder: %s', (command, told) => {
  expect(shortenCommand(command)).toBe(told);
});
