import { rolesAllowed } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { formatMailTime, type MailTexts, type MailWriter, type Outbox } from '../../platform/mail/index.ts';
import { type ClaimedController, activationRepository as repository } from './activation.repository.ts';

const deviceReplaced = {
  kind: 'device-replaced',
  subject: {
    ru: 'Заменено устройство контроллера {serialNumber} — {service}',
    en: 'Device of controller {serialNumber} replaced – {service}',
  },
  paragraphs: [
    {
      ru: 'В организации «{organization}» у контроллера {serialNumber} теперь другое устройство. Прежнее к нему больше не подключится.',
      en: 'Controller {serialNumber} of the organization “{organization}” has another device now. The one before connects to it no more.',
    },
    { ru: 'Отпечаток прежнего: {previousFingerprint}', en: 'Fingerprint before: {previousFingerprint}' },
    { ru: 'Отпечаток нового: {fingerprint}', en: 'Fingerprint now: {fingerprint}' },
    { ru: 'Кто заменил: {actor}', en: 'Replaced by: {actor}' },
    { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
    { ru: 'Адрес: {address}', en: 'Address: {address}' },
    {
      ru: 'Если так не задумано, удалите контроллер: его нынешнее устройство сразу отключится.',
      en: 'If nobody planned this, delete the controller: its device of now is cut off at once.',
    },
  ],
  action: { ru: 'Открыть контроллер', en: 'Open the controller' },
} as const satisfies MailTexts;

/** Mails to all who may delete a controller that its device was replaced, each in their language. */
export type TellAdmins = (
  transaction: DatabaseTransaction,
  controller: ClaimedController,
  values: { serialNumber: string } & Record<string, string>,
) => Promise<void>;

export function createTellAdmins(outbox: Outbox, writeMail: MailWriter, clock: Clock): TellAdmins {
  return async (transaction, controller, values) => {
    const { organizationId, id: controllerId } = controller;
    const path = `/organizations/${organizationId}/controllers/${values.serialNumber}`;
    const roles = rolesAllowed('controllers.delete');
    for (const { organization, ...admin } of await repository.listPeople(transaction, controllerId, roles)) {
      const shown = { ...values, organization, time: formatMailTime(clock.now()) };
      await outbox.add(writeMail(deviceReplaced, admin, { values: shown, path }), transaction);
    }
  };
}
