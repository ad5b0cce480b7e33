import { createTransport, type NodemailerError } from 'nodemailer';
import { limitTime } from '../deadline.ts';
import { DeliveryFailure } from '../delivery/index.ts';

export interface ReadyMail {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  locale: string;
}

export interface MailServer {
  /** Resolves when the server has taken the mail; throws DeliveryFailure, at the latest after `sendLimit`. */
  send(mail: ReadyMail, signal: AbortSignal): Promise<void>;
  /** Connects and logs in, and sends nothing. Throws DeliveryFailure; ends when the signal fires. */
  verify(signal: AbortSignal): Promise<void>;
}

/** All in milliseconds: a silent server ends an attempt, and one that drips its answers too. */
export const sendLimit = 60_000;
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

/**
 * A password goes over an encrypted connection, even when someone between us takes STARTTLS out of the server's
 * answer. A server on this machine, and one whose address says otherwise, is believed.
 */
export function demandsTls(url: URL): boolean {
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(url.hostname);
  const isConfigured = url.searchParams.has('requireTLS') || url.searchParams.has('ignoreTLS');
  return url.protocol === 'smtp:' && url.username !== '' && !isLocal && !isConfigured;
}

/** `from`: MAIL_FROM. `limitMs`: shorter in tests. */
export function createMailServer(options: { url: string; from: string; limitMs?: number }): MailServer {
  const { limitMs = sendLimit } = options;
  const url = new URL(options.url);
  const transport = createTransport({
    ...timeouts,
    url: options.url,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(demandsTls(url) ? { requireTLS: true } : {}),
  });
  const secrets = [url.password, decodeURIComponent(url.password)].filter((secret) => secret !== '');

  return {
    async send({ messageId, to, subject, text, html, locale }, signal) {
      using limit = limitTime(signal, limitMs);
      try {
        await transport.sendMail({
          messageId,
          from: options.from,
          // As an object: a comma or bracket in a string would make it another list of recipients.
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': locale },
          signal: limit.signal,
        });
      } catch (error) {
        throw describeFailure(error, secrets);
      }
    },
    async verify(signal) {
      const cut = new Promise<never>((_, reject) => {
        const end = () => reject(new Error('no answer in time'));
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      });
      try {
        await Promise.race([transport.verify(), cut]);
      } catch (error) {
        throw describeFailure(error, secrets);
      } finally {
        transport.close();
      }
    },
  };
}

/**
 * Final is what the server says for good of this recipient or this text. Whatever it refuses before (the
 * connection, the login, the sender) is the set-up's fault, which somebody will repair: the mail waits for that.
 */
function describeFailure(error: unknown, secrets: readonly string[]): DeliveryFailure {
  // Whatever sendMail rejects with; the properties are optional.
  const { message, command, permanent, response } = error as NodemailerError;
  const isOfThisMail = command === 'RCPT TO' || command === 'DATA';
  return new DeliveryFailure(hideSecrets(response || message, secrets), {
    isFinal: isOfThisMail && permanent === true,
    cause: error,
  });
}

/** Servers quote what they refuse: a link out of the text, a user name and password out of a login. */
function hideSecrets(said: string, secrets: readonly string[]): string {
  let text = said.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  for (const secret of secrets) text = text.replaceAll(secret, '…');
  return text
    .replace(/\bhttps?:\/\/\S+/gi, '…')
    .replace(/[\w+/=-]{40,}/g, '…')
    .slice(0, 300);
}
