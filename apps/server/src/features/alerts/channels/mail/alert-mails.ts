import type { MailRecipient, MailTexts, MailWriter, OutgoingMail } from '../../../../platform/mail/index.ts';
import { alertsPath, type Message } from '../../message.ts';
import { listGroups, listValues, open, textsOf } from '../alert-texts.ts';

const test: MailTexts = {
  kind: 'alert-test',
  subject: { ru: 'Проверка оповещений — {organization}', en: 'Test of alerts – {organization}' },
  paragraphs: [
    {
      ru: 'Это проверка. Такие письма будут приходить, если контроллер не выходит на связь дольше {minutes} мин.',
      en: 'This is a test. You will get such mails when a controller has not been seen for over {minutes} min.',
    },
  ],
  action: open,
};

/** The mail of a message to one member. Its length is bounded, however many controllers are offline. */
export function writeAlertMail(write: MailWriter, message: Message, recipient: MailRecipient): OutgoingMail {
  const path = alertsPath(message.rule);
  const values = listValues(message);
  if (message.kind === 'test') return write(test, recipient, { values, path });
  const { kind, one, many, lead, line } = textsOf[message.kind];
  const subject = message.count === 1 ? one : many;
  return write({ kind, subject, paragraphs: [lead], action: open }, recipient, {
    values,
    details: listGroups(message, line, recipient.locale),
    path,
  });
}
