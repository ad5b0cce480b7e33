import type { Database } from '../../../platform/db/schema.ts';
import type { MailTexts, MailWriter, Outbox } from '../../../platform/mail/index.ts';
import type { HeldOrganization } from './organization-shares.ts';
import { listWhomToTell } from './share-mails.repository.ts';

const texts: MailTexts = {
  kind: 'measurements-held',
  subject: {
    ru: 'Измерения организации «{organization}» не сохраняются — {service}',
    en: 'Measurements of “{organization}” are not kept – {service}',
  },
  paragraphs: [
    {
      ru: 'Измерения контроллеров организации «{organization}» занимают {taken} МБ на диске сервера, свободно {available} МБ. Чтобы место осталось и другим, новые измерения этой организации не сохраняются. Значения устройств, туннели и терминалы работают.',
      en: 'Measurements of the controllers of “{organization}” take {taken} MB on the disk of the server, and {available} MB are free. So that there is room for others, no new ones of this organization are kept. Values of devices, tunnels and terminals work.',
    },
    {
      ru: 'Сохранение возобновится само, когда места станет больше: увеличьте диск, уменьшите METRICS_RETENTION_DAYS или удалите лишние контроллеры.',
      en: 'They are kept again by themselves once there is more room: enlarge the disk, lower METRICS_RETENTION_DAYS, or delete controllers that are not needed.',
    },
  ],
  action: { ru: 'Открыть консоль', en: 'Open the console' },
};

const toMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20);

/** Mails to the administrators of the installation, and to those of the organization. */
export function createTellShare(db: Database, outbox: Outbox, writeMail: MailWriter) {
  return ({ organizationId, bytes, availableBytes }: HeldOrganization): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      for (const { organization, isAdministrator, ...person } of await listWhomToTell(
        transaction,
        organizationId,
      )) {
        const path = isAdministrator ? '/installation' : `/organizations/${organizationId}`;
        const values = { organization, taken: toMegabytes(bytes), available: toMegabytes(availableBytes) };
        await outbox.add(writeMail(texts, person, { values, path }), transaction);
      }
    });
}
