import { expect, it } from 'vitest';
import { redact } from './redact.ts';

const secret = 'hunter2-S3cr3t/xyz';

it.each([
  `wpa_passphrase=${secret}`,
  `psk="${secret} with spaces"`,
  `{"password": "${secret}", "user": "anna"}`,
  `MQTT_PASSWORD=${secret}`,
  `node agent --enrollment-key ${secret} run`,
  `mosquitto --password=${secret} -d`,
  `activation link: https://cloud.example.com/controllers?token=${secret}`,
  `Authorization: Basic ${secret}`,
  `authorization: Bearer ${secret}`,
  `mqtt://user:${secret.replace('/', '')}@broker:1883/topic`,
  'mqtt://user:first@hunter2@broker:1883/topic',
  `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  `clientSecret: '${secret}'`,
  `password => '${secret}'`,
  'password: true-hunter2',
])('hides the secret of %s', (line) => {
  const text = redact(Buffer.from(`before\n${line}\nafter\n`)).toString();
  expect(text).not.toContain('hunter2');
  expect(text).toMatch(/^before\n.*\nafter\n$/s);
  expect(text).toContain('[hidden]');
});

const token = 'Zm9ydHktdGhyZWUtbGV0dGVycy1vZi1hLXNlc3Npb24';
it.each([
  [`GET https://pult.example.com/password-reset/uid/${token}/ was asked`, token],
  [`https://pult.example.com/guest#${token}`, token],
  [`cookie: theme=dark; pult_session=${token}`, token],
  [`{"headers":{"cookie":"pult_session=first; other=second"}}`, 'second'],
  ['GET /api/v1/auth/callback/?state=short-state&code=short-code', 'short-code'],
  ['http://a1b2.http.example.com/?pult_ticket=short-one', 'short-one'],
  ['pult_svc_0123456789abcdef was refused', '0123456789abcdef'],
  ['the key pek_0123456789abcdef', '0123456789abcdef'],
  ['signed by whsec_c2lnbmVkLWJ5LXRoaXM=', 'c2lnbmVkLWJ5LXRoaXM'],
  ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLW9mLWl0', 'c2lnbmF0dXJlLW9mLWl0'],
  ['/bot123456789:AAEfake-token_of_the_tests_0123456789/sendMessage', 'AAEfake'],
  ['https://hooks.slack.com/services/T0001/B0002/tHeSecretOfSlack', 'tHeSecretOfSlack'],
  ['shown: ABCDEF-GHIJKL-MNOPQR-STUVW2', 'MNOPQR'],
])('hides what tells itself in %s', (line, hiddenPart) => {
  expect(redact(Buffer.from(line)).toString()).not.toContain(hiddenPart);
});

it('keeps JSON as JSON', () => {
  const inner = JSON.stringify({ password: 'of a body', other: 1 });
  const line = JSON.stringify({ level: 30, token: 'with "quotes', msg: `sent ${inner}`, password: 'b' });
  expect(JSON.parse(redact(Buffer.from(line)).toString())).toEqual({
    ...{ level: 30, token: '[hidden]', msg: 'sent {"password":"[hidden]","other":1}', password: '[hidden]' },
  });
});

it.each([
  `the host key is SHA256:${token}`,
  '0197c0de-1111-7222-8333-444455556666 A1B2C3D4',
  'Nov 21 10:00:00 wb sshd[12]: Accepted publickey for root from 10.0.0.1 port 22',
  'eth0: <BROADCAST,MULTICAST,UP> mtu 1500',
  '/dev/root 5.8G 2.1G 3.4G 39% /',
  '{"token":null,"hasPassword":true,"isSecret":false}',
  'насос: давление 2,4 бар',
])('leaves %s as it is', (line) => {
  expect(redact(Buffer.from(line)).toString()).toBe(line);
});

it('keeps a long output whole, and hides a key that is longer than a part of it', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} of the journal`).join('\n');
  expect(redact(Buffer.from(lines)).toString()).toBe(lines);
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${secret}\n`.repeat(8000)}-----END RSA PRIVATE KEY-----\nafter`;
  const text = redact(Buffer.from(key)).toString();
  expect(text).not.toContain('hunter2');
  expect(text).toMatch(/\nafter$/);
});

it('hides a key behind what a journal says first, and its headers', () => {
  const body = 'c'.repeat(64);
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'DEK-Info: AES-256-CBC,00',
    '',
    body,
    `${'c'.repeat(30)}==`,
  ];
  const lines = [...key, '-----END RSA PRIVATE KEY-----', 'it is over'];
  const text = redact(Buffer.from(lines.map((line) => `Nov 21 wb app[1]: ${line}`).join('\n'))).toString();
  expect(text).not.toContain('cccc');
  expect(text).toMatch(/\nNov 21 wb app\[1\]: it is over$/);
});

it.each([
  'Nov 21 10:00:01 wb sshd[12]: Accepted publickey for root from 10.0.0.1 port 22',
  '{"level":30,"msg":"listening","port":443}',
])('hides no log behind the beginning of a key that has none, with %s', (line) => {
  const begin = 'Nov 21 10:00:00 wb sshd[11]: Invalid user -----BEGIN PRIVATE KEY----- from 10.0.0.9';
  expect(redact(Buffer.from(`${begin}\n${line}\n${line}`)).toString()).toBe(`[hidden]\n${line}\n${line}`);
});

it('takes what is no text for what it is', () => {
  expect(redact(Buffer.alloc(0)).length).toBe(0);
  expect(redact(Buffer.from([0xff, 0xfe, 0x0a, 0x00])).length).toBeGreaterThan(0);
});

it.each([
  ...[
    'x',
    ' ',
    'password',
    'http://',
    '--token',
    'a.b-',
    'token:"',
    'bearer ',
    '://a:',
    'eyJ',
    '-eyJ',
    'eyJa.eyJ',
  ],
  ...[
    'token:\\"',
    'token:"\\"',
    'cookie:',
    '?code=',
    '?a',
    'ABCDEF-',
    '123456:',
    '/services/T/B',
    'pult_',
    'a-',
    '-',
  ],
])('redaction is done with a line of nothing but %s in no time', (word) => {
  const started = performance.now();
  const line = word.repeat(1_000_000 / word.length);
  redact(Buffer.from(`${line}\n-----BEGIN PRIVATE KEY-----\n${line}{`));
  // Far from what anything but a linear search would take.
  expect(performance.now() - started).toBeLessThan(5000);
});
