import { rolesAllowed, type Text } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { formatMailTime, type MailTexts, type MailWriter, type Outbox } from '../../platform/mail/index.ts';
import { type ClaimedController, activationRepository as repository } from './activation.repository.ts';

const timeLine: Text = { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' };

const mails = {
  replaced: {
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
      timeLine,
      { ru: 'Адрес: {address}', en: 'Address: {address}' },
      {
        ru: 'Если так не задумано, удалите контроллер: его нынешнее устройство сразу отключится.',
        en: 'If nobody planned this, delete the controller: its device of now is cut off at once.',
      },
    ],
    action: { ru: 'Открыть контроллер', en: 'Open the controller' },
  },
  displaced: {
    kind: 'controller-displaced',
    subject: {
      ru: 'Контроллер {serialNumber} ушёл в другую организацию — {service}',
      en: 'Controller {serialNumber} has gone to another organization – {service}',
    },
    paragraphs: [
      {
        ru: 'Контроллера {serialNumber} в организации «{organization}» больше нет: устройство с его заводским сертификатом активировала другая организация. Данные контроллера удалены.',
        en: 'Controller {serialNumber} is gone from the organization “{organization}”: another organization has activated the device that has its factory certificate. The data of the controller was deleted.',
      },
      timeLine,
    ],
    action: { ru: 'Открыть организацию', en: 'Open the organization' },
  },
} as const satisfies Record<string, MailTexts>;

/** Mails to all who may delete a controller what becomes of it, each in their language, while it is still there. */
export type TellAdmins = (
  transaction: DatabaseTransaction,
  controller: ClaimedController,
  what: keyof typeof mails,
  values: { serialNumber: string } & Record<string, string>,
) => Promise<void>;

export function createTellAdmins(outbox: Outbox, writeMail: MailWriter, clock: Clock): TellAdmins {
  return async (transaction, controller, what, values) => {
    const { organizationId, id: controllerId } = controller;
    const texts = mails[what];
    const home = `/organizations/${organizationId}`;
    const path = what === 'replaced' ? `${home}/controllers/${values.serialNumber}` : home;
    const roles = rolesAllowed('controllers.delete');
    for (const { organization, ...admin } of await repository.listPeople(transaction, controllerId, roles)) {
      const shown = { ...values, organization, time: formatMailTime(clock.now()) };
      await outbox.add(writeMail(texts, admin, { values: shown, path }), transaction);
    }
  };
}
