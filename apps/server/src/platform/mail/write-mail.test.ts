import { locales } from '@pult/contract';
import { expect, it } from 'vitest';
import { mailCatalogue, mailValueKinds } from './catalogue.ts';
import { createMailWriter } from './write-mail.ts';

const write = createMailWriter({ serviceName: 'Pult', publicUrl: 'https://pult.example.com' });
const anna = { email: 'anna@example.com', locale: 'en' } as const;

it('each text of a mail has the same placeholders in both languages, and each of them a kind of value', () => {
  const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const { subject, lines, action } of Object.values(mailCatalogue)) {
    for (const text of [subject, ...lines, action.label]) {
      const [first, ...others] = locales.map((locale) => placeholders(text[locale]));
      for (const other of others) expect(other).toEqual(first);
      for (const name of first ?? []) {
        expect(['service', 'email', ...Object.keys(mailValueKinds)]).toContain(name.slice(1, -1));
      }
    }
  }
});

it('a value stays in its line and in its segment of the address', () => {
  const { content } = write('device-replaced', anna, {
    serialNumber: 'A1/../..?x=1',
    organizationId: 'o',
    organization: 'See https://evil.example',
    previousFingerprint: 'one\r\nBcc: all@example.com',
    fingerprint: '{actor}',
    actor: 'owner@example.com',
    address: '192.0.2.1',
    time: new Date('2026-11-21T12:40:59Z'),
  });
  expect(content.action?.url).toBe(
    'https://pult.example.com/organizations/o/controllers/A1%2F..%2F..%3Fx%3D1',
  );
  expect(content.paragraphs[0]).not.toContain('https://');
  expect(content.paragraphs.slice(1, 6)).toEqual([
    'Previous fingerprint: one Bcc: all@example.com',
    'New fingerprint: {actor}',
    'Replaced by: owner@example.com',
    'Time: 2026-11-21 12:40 UTC',
    'Address: 192.0.2.1',
  ]);
});

it('the secret of a link is in the address alone, and the mail names the link that it dies with', () => {
  const expiresAt = new Date('2026-11-28T00:00:00Z');
  const mail = write('sign-up', anna, {
    address: '192.0.2.1',
    token: { token: 's3cret', id: 'l', expiresAt },
  });
  expect(mail.link).toEqual({ id: 'l', expiresAt });
  expect(mail.content.action?.url).toBe('https://pult.example.com/signup/confirm/s3cret/');
  expect(mail.content.paragraphs.join()).not.toContain('s3cret');
});
