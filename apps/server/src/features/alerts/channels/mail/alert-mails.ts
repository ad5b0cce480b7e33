import { formatText } from '@pult/contract';
import type { Mail, MailRecipient, OutgoingMail } from '../../../../platform/mail/index.ts';
import type { Message } from '../../message.ts';
import { listGroups, listValues, textsOf } from '../alert-texts.ts';

/** The mail of a message to one member. Its length is bounded, however many controllers are offline. */
export function writeAlertMail(mail: Mail, message: Message, recipient: MailRecipient): OutgoingMail {
  const { organization, minutes } = message.rule;
  const organizationId = organization.id;
  if (message.kind === 'test') {
    return mail.write('alert-test', recipient, { organization: organization.name, organizationId, minutes });
  }
  const { kind, one, many, lead, line } = textsOf[message.kind];
  const { locale } = recipient;
  const values = listValues(message);
  return mail.write(kind, recipient, {
    title: formatText(message.count === 1 ? one : many, locale, values),
    lead: formatText(lead, locale, values),
    groups: listGroups(message, line, locale),
    organizationId,
  });
}
