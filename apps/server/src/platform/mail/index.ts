export type { MailContent, OutgoingMail } from './mail.ts';
export { createMailing, type Mailing } from './mailing.ts';
export { createMailsRepository } from './mails.repository.ts';
export type { Outbox } from './outbox.ts';
export { renderMail } from './render-mail.ts';
export { formatMailTime, type MailRecipient, type MailTexts, type MailWriter } from './write-mail.ts';
