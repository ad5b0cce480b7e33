import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { commands } from './commands.ts';

it('pult config prints the configuration, and none of its secrets', async () => {
  const secrets = {
    ADMIN_PASSWORD: 'secret-of-the-admin',
    ENROLLMENT_KEY: 'secret-of-enrolment-1',
    DATABASE_URL: 'postgres://pult:secret-of-database@db/pult',
    SMTP_URL: 'smtp://pult:secret-of-mail@mail:587',
    VICTORIAMETRICS_URL: 'http://pult:secret-of-metrics@vm:8428',
    GRAFANA_ADMIN_PASSWORD: 'secret-of-grafana',
    S3_SECRET_ACCESS_KEY: 'secret-of-archives',
    BACKUP_S3_SECRET_ACCESS_KEY: 'secret-of-backups',
    NATS_URL: 'tls://pult:secret-of-nats@nats-1:4222,tls://pult:secret-of-other@nats-2:4222',
    ACME_DNS_TSIG_SECRET: Buffer.from('secret-of-dns').toString('base64'),
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret-of-traces',
    SECRETS_KEY: createHash('sha256').update('a key').digest('hex'),
  };
  const settings = {
    DATA_DIR: tmpdir(),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    PUBLIC_URL: 'https://pult.example.com',
    MAIL_FROM: 'pult@example.com',
    NODE_ADDRESS: '10.0.0.5:7200',
    ACME_EMAIL: 'admin@example.com',
    ACME_DNS_SERVER: 'dns.example.com',
    ACME_DNS_TSIG_NAME: 'pult',
    GRAFANA_URL: 'http://grafana:3000',
    GRAFANA_ADMIN_USER: 'admin',
    S3_BUCKET: 'archives',
    S3_ACCESS_KEY_ID: 'key',
    BACKUP_S3_BUCKET: 'copies',
    BACKUP_S3_ACCESS_KEY_ID: 'key',
    BACKUP_PLAINTEXT: 'true',
  };
  for (const [name, value] of Object.entries({ ...secrets, ...settings })) vi.stubEnv(name, value);
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  await commands.config?.run([]);
  expect(printed).toContain('"publicUrl": "https://pult.example.com"');
  expect(printed).toContain('"bucket": "copies"');
  expect(printed.match(/secret-of-[a-z]+/g)).toBeNull();
  expect(printed).not.toContain(secrets.ACME_DNS_TSIG_SECRET);
  expect(printed).not.toContain(secrets.SECRETS_KEY);
  // Keys are bytes by then.
  expect(printed.match(/"Buffer"/g)).toBeNull();
});
