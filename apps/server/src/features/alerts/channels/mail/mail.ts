import { FieldError } from '../../../../platform/errors.ts';
import type { MailWriter } from '../../../../platform/mail/index.ts';
import type { AlertChannel } from '../channel.ts';
import { writeAlertMail } from './alert-mails.ts';
import { loadMembers, type Member, saveMembers } from './members.repository.ts';

interface Dependencies {
  writeMail: MailWriter;
  /** False: no SMTP server is set, mails are stored and reach nobody. */
  isMailServed: boolean;
}

/** Mails to members of the organization, each in the language of their account. */
export function createMailChannel({ writeMail, isMailServed }: Dependencies): AlertChannel<Member[]> {
  return {
    name: 'mail',
    isKept: !isMailServed,
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
        const { to, ...mail } = writeAlertMail(writeMail, message, member);
        return { recipient: to, ...mail };
      }),

    reportTest: ({ count }) =>
      isMailServed ? { mails: count, mailsKept: 0 } : { mails: 0, mailsKept: count },
  };
}
