export type { MailContent, OutgoingMail } from './mail.ts';
export { createMailing } from './mailing.ts';
export { createMailsRepository } from './mails.repository.ts';
export { type Outbox, openContent } from './outbox.ts';
export { renderMail } from './render-mail.ts';
