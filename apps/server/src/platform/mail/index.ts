export type { MailContent, OutgoingMail } from './mail.ts';
export { createOutbox, mailContext, type Outbox } from './outbox.ts';
