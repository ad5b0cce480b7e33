import type { Config } from '../../config/config.ts';
import type { Deliveries } from '../delivery/index.ts';
import type { Feature } from '../feature.ts';
import type { QueuedJob } from '../jobs/jobs.ts';
import { createMailMethod } from './mail-method.ts';
import { createMailServer } from './mail-server.ts';
import { createMail, createOutbox, type Mail, type Outbox } from './outbox.ts';
import { createMailWriter } from './write-mail.ts';

export interface Mailing extends Feature {
  mail: Mail;
  outbox: Outbox;
  queuedJobs: readonly QueuedJob[];
}

/** Mails from their writing to the mail server. Without SMTP_URL they are stored, and nobody sends them. */
export function createMailing({
  publicUrl,
  config,
  deliveries,
}: {
  publicUrl: string;
  config: Pick<Config, 'mail' | 'settings'>;
  deliveries: Deliveries;
}): Mailing {
  const { smtpUrl: url, from } = config.mail;
  const sender = { serviceName: config.settings.serviceName, publicUrl };
  // The configuration has both or neither.
  const send =
    url === undefined || from === undefined
      ? undefined
      : deliveries.serve(createMailMethod({ server: createMailServer({ url, from }), sender, from }));
  const outbox = createOutbox(deliveries);
  const mail = createMail(outbox, { write: createMailWriter(sender), isDelivering: send !== undefined });
  return { name: 'mail', mail, outbox, queuedJobs: send ? [send] : [] };
}
