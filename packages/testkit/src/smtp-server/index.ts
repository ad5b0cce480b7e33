import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type ParsedMail, parseMail } from './parse-mail.ts';

export interface ReceivedMail extends ParsedMail {
  from: string;
  to: string[];
  raw: string;
  /** It came over TLS. */
  isSecure: boolean;
  /** Who logged in to hand it over. */
  user: string | undefined;
}

export interface SmtpAnswer {
  code: number;
  message: string;
}

export interface SmtpServerOptions {
  port?: number;
  /** Only who gives these may send. */
  user?: string;
  password?: string;
  /** Offers STARTTLS; both in PEM. */
  startTls?: { cert: string; key: string };
}

/** A mail server that keeps what it is given. */
export interface TestSmtpServer extends AsyncDisposable {
  readonly port: number;
  /** For SMTP_URL, without user and password. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** How often a recipient was named, refused or not. */
  readonly attempts: number;
  /** Answers to the next recipients, one each; then they are welcome again. */
  refuseRecipients(...answers: SmtpAnswer[]): void;
  /** Called when a mail has come in whole, before the server says so; what it throws is the answer. */
  onMail: (mail: ReceivedMail) => void | Promise<void>;
  stop(): Promise<void>;
}

export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const refusals: SmtpAnswer[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    // Otherwise it offers no login at all without TLS.
    allowInsecureAuth: true,
    disabledCommands: options.startTls ? [] : ['STARTTLS'],
    ...options.startTls,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      if (username === options.user && password === options.password) done(null, { user: username });
      else done(Object.assign(new Error(`no such user ${username}:${password}`), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      attempts += 1;
      const refusal = refusals.shift();
      done(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null);
    },
    onData(stream, session, done) {
      const receive = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer); // a stream of bytes
        const raw = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          ...parseMail(raw),
          raw,
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          // What onAuth gave.
          user: session.user as string | undefined,
        };
        await result.onMail(mail);
        mails.push(mail);
      };
      receive().then(() => done(null), done);
    },
  });
  // A client that goes in the middle of a session is what some tests are about.
  server.on('error', () => {});
  const listening = server.listen(options.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');
  // A listening TCP server has an address object.
  const { port } = listening.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const result: TestSmtpServer = {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    get attempts() {
      return attempts;
    },
    refuseRecipients: (...answers) => {
      refusals.push(...answers);
    },
    onMail: () => {},
    stop,
    [Symbol.asyncDispose]: stop,
  };
  return result;
}
