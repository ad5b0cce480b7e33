import type { Config } from '../../config/config.ts';
import type { Encryptor } from '../encryptor.ts';
import type { Core, Feature } from '../feature.ts';
import type { QueuedJob, RecurringJob } from '../jobs/jobs.ts';
import { createDelivery } from './delivery.ts';
import { createMailServer } from './mail-server.ts';
import { createMailsRepository } from './mails.repository.ts';
import { createOutbox, keepMailQueued, type Outbox, sendMailJob } from './outbox.ts';

export interface Mailing extends Feature {
  outbox: Outbox;
  queuedJobs: readonly QueuedJob[];
  /**
   * Sees to it that the mails which still wait are in the queue: those from before SMTP_URL was set, and those whose
   * server was killed while it had them in hand. Done at the start, and by a job besides.
   */
  recoverFromCrash(): Promise<void>;
}

/** Days. What is older helps nobody who waits for it; what is very old is of no use to an administrator either. */
const [bodyLife, mailLife] = [7, 90];

/** Mails from the outbox to the mail server, put together. */
export function createMailing(
  { db, clock, log, publicUrl }: Core,
  { config, encryptor }: { config: Pick<Config, 'mail' | 'settings'>; encryptor: Encryptor },
): Mailing {
  const { smtpUrl: url, from } = config.mail;
  const repository = createMailsRepository(db);
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 24 * 3600 * 1000);

  const forget: RecurringJob = {
    name: 'forget-mails',
    schedule: '*/10 * * * *',
    async run() {
      await repository.purgeBodies(clock.now(), daysAgo(bodyLife));
      await repository.deleteOld(daysAgo(mailLife));
    },
  };
  const outbox = createOutbox({ repository, encryptor, clock, isDelivering: url !== undefined });
  // The configuration has both or neither.
  if (url === undefined || from === undefined) {
    return { name: 'mail', outbox, jobs: [forget], queuedJobs: [], recoverFromCrash: async () => {} };
  }

  const delivery = createDelivery({
    db,
    repository,
    encryptor,
    clock,
    log,
    server: createMailServer({ url, from }),
    sender: { serviceName: config.settings.serviceName, publicUrl },
    from,
  });
  const send: QueuedJob = {
    name: sendMailJob,
    // Only enqueueMail makes these.
    run: (payload, signal) => delivery.deliver((payload as { id: string }).id, signal),
  };
  const enqueueWaiting = () =>
    db.transaction().execute(async (transaction) => {
      const waiting = await repository.listWaiting(transaction, clock.now(), daysAgo(bodyLife));
      for (const id of waiting) await keepMailQueued(transaction, id);
    });
  const resume: RecurringJob = { name: 'resume-mails', schedule: '*/10 * * * *', run: enqueueWaiting };
  return {
    name: 'mail',
    outbox,
    jobs: [forget, resume],
    queuedJobs: [send],
    recoverFromCrash: enqueueWaiting,
  };
}
