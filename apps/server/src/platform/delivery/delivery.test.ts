import { createServer, type Server } from 'node:net';
import { freePort, type SmtpServerOptions, startSmtpServer, type TestSmtpServer } from '@pult/testkit';
import { certificates } from '@pult/testkit/certificates';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createId } from '../ids.ts';
import type { OutgoingMail } from '../mail/index.ts';
import { retryDelay } from './delivery.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
});
const keep = <T extends AsyncDisposable>(each: T): T => {
  opened.push(each);
  return each;
};

const startSmtp = async (options?: SmtpServerOptions) => keep(await startSmtpServer(options));
const startServer = async (url: string, environment: Record<string, string> = {}) =>
  keep(
    await createTestServer({
      environment: {
        SMTP_URL: url,
        MAIL_FROM: 'Пульт <pult@example.com>',
        SERVICE_NAME: 'Вышка',
        ...environment,
      },
    }),
  );

const link = 'https://pult.example.com/password-reset/1/very-secret/';
const letter: OutgoingMail = {
  to: 'anna@example.org',
  locale: 'ru',
  kind: 'password-reset',
  content: {
    subject: 'Смена пароля в организации «Ромашка»',
    paragraphs: ['Здравствуйте. <b>Это</b> письмо.'],
    action: { label: 'Сменить пароль', url: link },
  },
};
const post = (server: TestServer, mail: Partial<OutgoingMail> = {}) =>
  server.db
    .transaction()
    .execute((transaction) => server.server.mailing.outbox.add({ ...letter, ...mail }, transaction));

const getMail = (server: TestServer) =>
  server.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();
const until = (server: TestServer, expected: object) =>
  vi.waitFor(async () => expect(await getMail(server)).toMatchObject(expected), { timeout: 10_000 });
const queued = async (server: TestServer) =>
  (
    await server.db
      .selectFrom('graphile_worker.jobs' as 'deliveries')
      .selectAll()
      .execute()
  ).length;

describe('a mail', () => {
  it('reaches its recipient in both forms, under the sender’s name', async () => {
    const smtp = await startSmtp();
    const server = await startServer(smtp.url);
    await server.startJobs();
    await post(server);
    await until(server, { status: 'sent', attempts: 1, last_error: null, sent_at: server.clock.now() });
    const { id } = await getMail(server);
    const [mail, ...others] = smtp.mails;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: 'pult@example.com', to: ['anna@example.org'] });
    const header = (name: string) => mail?.headers.get(name);
    expect(header('subject')).toEqual([letter.content.subject]);
    expect(header('from')).toEqual(['Пульт <pult@example.com>']);
    expect(header('to')).toEqual(['anna@example.org']);
    expect(header('message-id')).toEqual([`<${id}@example.com>`]);
    expect(header('auto-submitted')).toEqual(['auto-generated']);
    expect([...(mail?.headers.keys() ?? [])].filter((name) => name.startsWith('list-'))).toEqual([]);
    expect(mail?.text).toContain(`Здравствуйте. <b>Это</b> письмо.\n\nСменить пароль:\n${link}`);
    expect(mail?.html).toContain('<html lang="ru">');
    expect(mail?.html).toContain('Здравствуйте. &#60;b&#62;Это');
    expect(mail?.html).toContain(`href="${link}"`);
    await vi.waitFor(async () => expect(await queued(server)).toBe(0), 10_000);
  });

  it('a mail is refused for good by a 550, and not tried again', async () => {
    const smtp = await startSmtp();
    smtp.refuseRecipients({ code: 550, message: `5.1.1 no such user, see ${link}` });
    const server = await startServer(smtp.url);
    await server.startJobs();
    await post(server);
    await until(server, { status: 'refused', attempts: 1, last_error: '550 5.1.1 no such user, see …' });
    await vi.waitFor(async () => expect(await queued(server)).toBe(0), 10_000);
    expect(smtp).toMatchObject({ attempts: 1, mails: [] });
  });

  it('a mail is refused for good by a 554 to its text', async () => {
    const smtp = await startSmtp();
    smtp.onMail = () => {
      throw Object.assign(new Error('5.7.1 looks like spam'), { responseCode: 554 });
    };
    const server = await startServer(smtp.url);
    await server.startJobs();
    await post(server);
    await until(server, { status: 'refused', attempts: 1, last_error: '554 5.7.1 looks like spam' });
  });

  it('gets past greylisting, and arrives once', async () => {
    const smtp = await startSmtp();
    const greylisted = { code: 451, message: '4.7.1 greylisted, come back later' };
    smtp.refuseRecipients(greylisted, greylisted);
    const server = await startServer(smtp.url);
    await server.startJobs();
    await post(server);
    await until(server, { status: 'waiting', attempts: 1, last_error: `451 ${greylisted.message}` });
    await server.runPendingJobs();
    await until(server, { attempts: 2, claimed_until: null });
    await server.runPendingJobs();
    await until(server, { status: 'sent', attempts: 3, last_error: null });
    expect(smtp.mails).toHaveLength(1);
  });

  it('a mail is not tried again before its time', async () => {
    const smtp = await startSmtp();
    smtp.refuseRecipients({ code: 451, message: 'later' });
    const server = await startServer(smtp.url);
    await server.startJobs();
    await post(server);
    await until(server, { attempts: 1, claimed_until: null });
    await post(server, { to: 'boris@example.org' });
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), 10_000);
    expect(smtp.mails[0]?.to).toEqual(['boris@example.org']);
    expect(smtp.attempts).toBe(2);
  });

  it('outlives an outage of the mail server', async () => {
    const port = await freePort();
    const server = await startServer(`smtp://127.0.0.1:${port}`);
    await server.startJobs();
    await post(server);
    await until(server, {
      status: 'waiting',
      attempts: 1,
      last_error: expect.stringMatching(/ECONNREFUSED/),
    });
    const smtp = await startSmtp({ port });
    await server.runPendingJobs();
    await until(server, { status: 'sent', attempts: 2 });
    expect(smtp.mails).toHaveLength(1);
  });

  it('a mail is given up after its last try, and says why', async () => {
    const server = await startServer(`smtp://127.0.0.1:${await freePort()}`);
    await post(server);
    await server.db.updateTable('deliveries').set({ attempts: 16 }).execute();
    await server.startJobs();
    await until(server, {
      status: 'refused',
      attempts: 17,
      last_error: expect.stringMatching(/ECONNREFUSED/),
    });
    await vi.waitFor(async () => expect(await queued(server)).toBe(0), 10_000);
  });

  it('a mail is sent again under the same Message-ID after a crash between the server’s yes and our note of it', async () => {
    const smtp = await startSmtp();
    const server = await startServer(smtp.url);
    // The database goes away between the two, as it would with the whole machine.
    smtp.onMail = async () => {
      if (smtp.mails.length > 0) return;
      await server.db.schema.alterTable('deliveries').renameTo('deliveries_away').execute();
    };
    await server.startJobs();
    await post(server);
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), 10_000);
    await vi.waitFor(async () => {
      const jobs = await server.db
        .selectFrom('graphile_worker.jobs' as 'deliveries')
        .select('last_error')
        .execute();
      expect(jobs[0]?.last_error).toMatch(/deliveries/);
    }, 10_000);
    await server.db.schema.alterTable('deliveries_away').renameTo('deliveries').execute();

    // Whoever starts next must not think that the first one still sends.
    server.clock.advance(121_000);
    await server.server.deliveries.recoverFromCrash();
    await server.runPendingJobs();
    await until(server, { status: 'sent', attempts: 2 });
    expect(smtp.mails).toHaveLength(2);
    expect(smtp.mails[1]?.headers.get('message-id')).toEqual(smtp.mails[0]?.headers.get('message-id'));
  });

  it('a mail is sent by one of two servers that find it in the queue at once', async () => {
    const smtp = await startSmtp();
    const server = await startServer(smtp.url);
    await post(server);
    const { id } = await getMail(server);
    const [send] = server.server.mailing.queuedJobs;
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 8 }, () => send?.run({ id }, signal)));
    await until(server, { status: 'sent', attempts: 1 });
    expect(smtp.mails).toHaveLength(1);
  });

  it('a mail does not go out once its link is dead', async () => {
    const smtp = await startSmtp();
    const server = await startServer(smtp.url);
    const id = createId();
    await post(server, { link: { id, expiresAt: new Date(server.clock.now().getTime() + 60_000) } });
    await server.db
      .transaction()
      .execute((transaction) => server.server.mailing.outbox.purge(id, transaction));
    await server.startJobs();
    await until(server, { status: 'refused', last_error: 'its link ended before it could be sent' });
    expect(smtp.attempts).toBe(0);
  });

  it('a mail does not go out after its link’s time', async () => {
    const smtp = await startSmtp();
    const server = await startServer(smtp.url);
    const expiresAt = new Date(server.clock.now().getTime() + 60_000);
    await post(server, { link: { id: createId(), expiresAt } });
    server.clock.advance(60_000);
    await server.startJobs();
    await until(server, { status: 'refused', last_error: 'its link ended before it could be sent' });
    expect(smtp.attempts).toBe(0);
  });

  it('carries what people wrote without a second header or recipient', async () => {
    const smtp = await startSmtp();
    const server = await startServer(smtp.url);
    await server.startJobs();
    const name = 'ООО\r\nBcc: victim@example.net\r\n\r\n<script>alert(1)</script>';
    await post(server, { content: { subject: `Приглашение в ${name}`, paragraphs: [name] } });
    await until(server, { status: 'sent' });
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(['anna@example.org']);
    expect(mail?.headers.has('bcc')).toBe(false);
    expect(mail?.headers.get('subject')).toEqual([
      'Приглашение в ООО Bcc: victim@example.net <script>alert(1)</script>',
    ]);
    expect(mail?.html).not.toContain('<script');
  });

  it.each([
    'anna@example.org\r\nRCPT TO:<victim@example.net>',
    'anna@example.org, victim@example.net',
    '<victim@example.net>',
    '"a b" <victim@example.net>',
    'nobody',
  ])('a mail to %j is refused here', async (to) => {
    const smtp = await startSmtp();
    const server = await startServer(smtp.url);
    await server.startJobs();
    await post(server, { to });
    await until(server, { status: 'refused', attempts: 1, last_error: 'not an email address' });
    expect(smtp).toMatchObject({ attempts: 0, mails: [] });
  });
});

it('waits longer after each try, half a minute at first and two hours at last', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 17].map(retryDelay)).toEqual([30, 90, 270, 810, 2430, 7200, 7200, 7200]);
});

describe('SMTP_URL', () => {
  const credentials = { user: 'pult@relay', password: 'pass word/ü' };
  const encoded = `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}`;
  const withUser = (smtp: TestSmtpServer, userInfo: string, query = '') =>
    `smtp://${userInfo}@127.0.0.1:${smtp.port}/${query}`;

  it('logs in with its user and password', async () => {
    const smtp = await startSmtp(credentials);
    const server = await startServer(withUser(smtp, encoded));
    await server.startJobs();
    await post(server);
    await until(server, { status: 'sent' });
    expect(smtp.mails).toMatchObject([{ user: 'pult@relay' }]);
  });

  it('encrypts where the server can', async () => {
    const smtp = await startSmtp({ ...credentials, startTls: certificates.one });
    const server = await startServer(withUser(smtp, encoded, '?tls.rejectUnauthorized=false'));
    await server.startJobs();
    await post(server);
    await until(server, { status: 'sent' });
    expect(smtp.mails).toMatchObject([{ isSecure: true, user: 'pult@relay' }]);
  });

  it('SMTP_URL does not talk to a server whose certificate is not good', async () => {
    const smtp = await startSmtp({ ...credentials, startTls: certificates.one });
    const server = await startServer(withUser(smtp, encoded));
    await server.startJobs();
    await post(server);
    await until(server, { status: 'waiting', attempts: 1 });
    expect(smtp.attempts).toBe(0);
  });

  it('SMTP_URL with a wrong password keeps the mails for when it is right, and the password to itself', async () => {
    const smtp = await startSmtp(credentials);
    const server = await startServer(withUser(smtp, 'pult%40relay:w%20rong-pa%C3%9F'));
    await server.startJobs();
    await post(server);
    await until(server, { status: 'waiting', attempts: 1, last_error: '535 no such user pult@relay:…' });
  });
});

describe('a mail server that does not answer', () => {
  let silent: Server | undefined;
  afterEach(() => silent?.close());

  it('a mail server that does not answer is left when our own server stops, and the mail waits', async () => {
    const port = await freePort();
    let isConnected = () => {};
    const connected = new Promise<void>((resolve) => {
      isConnected = resolve;
    });
    silent = createServer((socket) => {
      socket.on('error', () => {});
      isConnected();
    }).listen(port, '127.0.0.1');
    const server = await startServer(`smtp://127.0.0.1:${port}`);
    await post(server);
    const { id } = await getMail(server);
    const [send] = server.server.mailing.queuedJobs;
    const stopping = new AbortController();
    const sending = send?.run({ id }, stopping.signal);
    await connected;
    stopping.abort();
    await sending;
    expect(await getMail(server)).toMatchObject({ status: 'waiting', attempts: 1, claimed_until: null });
    expect(await queued(server)).toBe(1);
  });
});

describe('without SMTP_URL', () => {
  it('mails are not queued, and those that still matter are once it is set', async () => {
    await using server = await createTestServer();
    await post(server);
    expect(await queued(server)).toBe(0);
    expect(server.server.mailing.queuedJobs).toEqual([]);
    await server.server.deliveries.recoverFromCrash();
    expect(await queued(server)).toBe(0);
  });
});
