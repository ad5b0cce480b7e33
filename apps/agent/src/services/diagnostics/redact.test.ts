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
])('hides the secret of %s', (line) => {
  const text = redact(Buffer.from(`before\n${line}\nafter\n`)).toString();
  expect(text).not.toContain('hunter2');
  expect(text).toMatch(/^before\n.*\nafter\n$/s);
  expect(text).toContain('[hidden]');
});

it.each([
  'Nov 21 10:00:00 wb sshd[12]: Accepted publickey for root from 10.0.0.1 port 22',
  'eth0: <BROADCAST,MULTICAST,UP> mtu 1500',
  '/dev/root 5.8G 2.1G 3.4G 39% /',
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

it('takes what is no text for what it is', () => {
  expect(redact(Buffer.alloc(0)).length).toBe(0);
  expect(redact(Buffer.from([0xff, 0xfe, 0x0a, 0x00])).length).toBeGreaterThan(0);
});

it.each(['x', 'password', 'http://', '--token', 'a.b-', 'token:"', 'bearer ', '://a:'])(
  'redaction is done with a line of nothing but %s in no time',
  (word) => {
    const started = performance.now();
    redact(Buffer.from(word.repeat(1_000_000 / word.length)));
    // Far from what anything but a linear search would take.
    expect(performance.now() - started).toBeLessThan(5000);
  },
);
