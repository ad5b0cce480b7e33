import type { Core, Feature } from '../feature.ts';
import type { QueuedJob } from '../jobs/jobs.ts';
import { createMailMethod } from './mail-method.ts';
import { createMailServer } from './mail-server.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createMailWriter, type MailWriter } from './write-mail.ts';

export interface Mailing extends Feature {
  outbox: Outbox;
  writeMail: MailWriter;
  queuedJobs: readonly QueuedJob[];
}

/** Mails from their writing to the mail server. Without SMTP_URL they are stored, and nobody sends them. */
export function createMailing({
  publicUrl,
  config,
  deliveries,
}: Pick<Core, 'publicUrl' | 'config' | 'deliveries'>): Mailing {
  const { smtpUrl: url, from } = config.mail;
  const sender = { serviceName: config.settings.serviceName, publicUrl };
  const writeMail = createMailWriter(sender);
  // The configuration has both or neither.
  if (url === undefined || from === undefined) {
    return { name: 'mail', outbox: createOutbox(deliveries, false), writeMail, queuedJobs: [] };
  }
  const send = deliveries.serve(createMailMethod({ server: createMailServer({ url, from }), sender, from }));
  return { name: 'mail', outbox: createOutbox(deliveries, true), writeMail, queuedJobs: [send] };
}
