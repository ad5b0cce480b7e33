import { defaultLocale } from '@pult/contract';
import { decryptContent } from '../platform/delivery/index.ts';
import { createEncryptor } from '../platform/encryptor.ts';
import { createMailsRepository, type MailContent, renderMail } from '../platform/mail/index.ts';
import { readConfig, withDatabase } from './with-database.ts';

const listed = 200;

/** Some of it is what strangers and mail servers wrote: none of it may steer the terminal. */
function print(line: string): void {
  process.stdout.write(`${line.replace(/[^\P{Cc}\n]/gu, '')}\n`);
}

const atSecond = (time: Date) => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Newest first. Says who was written to, never what. */
export async function listMails(): Promise<void> {
  await withDatabase(async (db) => {
    const mails = await createMailsRepository(db).listMails(listed);
    if (mails.length === 0) print('There are no mails.');
    for (const mail of mails) {
      const state = `${mail.status.padEnd(7)} ${String(mail.attempts).padStart(2)}`;
      const error = mail.last_error === null ? '' : `  ${mail.last_error.replace(/\n/g, ' ')}`;
      print(
        `${mail.id}  ${atSecond(mail.created_at)}  ${mail.kind.padEnd(16)} ${state}  ${mail.recipient}${error}`,
      );
    }
  });
}

/** With its link: whoever reads it here may use it. */
export async function showMail(id: string): Promise<void> {
  const { settings, http } = readConfig();
  await withDatabase(async (db, { encryptionKey }) => {
    const mail = await createMailsRepository(db).getMail(id.trim().toLowerCase());
    if (!mail) throw new Error(`There is no mail ${id}.`);
    print(`To:       ${mail.recipient}`);
    print(`Kind:     ${mail.kind}`);
    print(`Written:  ${atSecond(mail.created_at)}`);
    print(`Status:   ${mail.sent_at ? `sent ${atSecond(mail.sent_at)}` : mail.status}`);
    if (mail.last_error !== null) print(`Error:    ${mail.last_error}`);
    if (mail.content === null) {
      print(
        '\nIts text is gone: the link in it was used, replaced or expired, or the mail is over a week old.',
      );
      return;
    }
    const stored = { id: mail.id, content: mail.content };
    // Only the outbox adds mails.
    const content = decryptContent(createEncryptor(encryptionKey), stored) as MailContent;
    const sender = { serviceName: settings.serviceName, publicUrl: http.publicUrl };
    const { subject, text } = renderMail(content, mail.locale ?? defaultLocale, sender);
    print(`Subject:  ${subject}\n\n${text.trimEnd()}`);
  });
}
