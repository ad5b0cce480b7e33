export { formatMailTime } from './format-mail-value.ts';
export type { MailContent, OutgoingMail } from './mail.ts';
export { createMailing } from './mailing.ts';
export { createMailsRepository } from './mails.repository.ts';
export type { Mail } from './outbox.ts';
export { renderMail } from './render-mail.ts';
export type { MailRecipient } from './write-mail.ts';
