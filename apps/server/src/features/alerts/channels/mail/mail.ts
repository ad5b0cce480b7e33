import { FieldError } from '../../../../platform/errors.ts';
import type { Mail } from '../../../../platform/mail/index.ts';
import type { AlertChannel } from '../channel.ts';
import { writeAlertMail } from './alert-mails.ts';
import { loadMembers, type Member, saveMembers } from './members.repository.ts';

/** Mails to members of the organization, each in the language of their account. */
export function createMailChannel({ mail }: { mail: Mail }): AlertChannel<Member[]> {
  return {
    name: 'mail',
    isKept: !mail.isDelivering,
    load: loadMembers,

    async save(transaction, rule, { members }) {
      if (members && !(await saveMembers(transaction, rule, members))) {
        throw new FieldError('members', 'member_unknown');
      }
      return {};
    },

    show: (members = []) => ({ members: members.map(({ userId, email }) => ({ userId, email })) }),
    describe: (members = []) => ({ members: members.length }),

    render: (message, members = []) =>
      members.map((member) => {
        const { to, ...written } = writeAlertMail(mail, message, member);
        return { recipient: to, ...written };
      }),

    reportTest: ({ count }) =>
      mail.isDelivering ? { mails: count, mailsKept: 0 } : { mails: 0, mailsKept: count },
  };
}
