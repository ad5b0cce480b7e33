import { withDeadline } from '../../platform/deadline.ts';
import { createMailServer } from '../../platform/mail/mail-server.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, fail, ok, warn } from '../finding.ts';

/** Logs in and sends nothing. */
export const mail: DoctorCheck = {
  name: 'mail',
  async run({ config: { mail: settings }, signal, timeoutMs }) {
    const { smtpUrl, from } = settings;
    if (smtpUrl === undefined || from === undefined) {
      return [
        warn(
          'no mail server is set: mails are kept and sent to nobody',
          'Set SMTP_URL and MAIL_FROM; until then read them with: pult mail list',
        ),
      ];
    }
    const { host, username } = new URL(smtpUrl);
    try {
      const server = createMailServer({ url: smtpUrl, from });
      await withDeadline(server.verify(signal), timeoutMs * 0.8);
      return [ok(username === '' ? `${host} answers` : `${host} takes the login`)];
    } catch (error) {
      return [
        fail(
          `${host} does not take mails: ${describeError(error)}`,
          'Look at host, port, user and password in SMTP_URL; a character such as @ in them is written %40.',
        ),
      ];
    }
  },
};
