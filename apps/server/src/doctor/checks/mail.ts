import { ownCommand, shortenCommand } from '../../own-command.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { createMailServer } from '../../platform/mail/mail-server.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, fail, ok, warn } from '../finding.ts';

const pult = shortenCommand(ownCommand);

/** Logs in and sends nothing. */
export const mail: DoctorCheck = {
  name: 'mail',
  async run({ config: { mail: settings }, signal, timeoutMs }) {
    const { smtpUrl, from } = settings;
    if (smtpUrl === undefined || from === undefined) {
      return [
        warn(
          {
            en: 'no mail server is set: mails are kept and sent to nobody',
            ru: 'почтовый сервер не задан: письма хранятся и никому не уходят',
          },
          {
            en: `Set SMTP_URL and MAIL_FROM; until then read them with: ${pult} mail list`,
            ru: `Задайте SMTP_URL и MAIL_FROM; пока их читает команда: ${pult} mail list`,
          },
        ),
      ];
    }
    const { host, username } = new URL(smtpUrl);
    try {
      const server = createMailServer({ url: smtpUrl, from });
      await withDeadline(server.verify(signal), timeoutMs * 0.8);
      return [
        ok(
          username === ''
            ? { en: `${host} answers`, ru: `${host} отвечает` }
            : { en: `${host} takes the login`, ru: `${host} принимает вход` },
        ),
      ];
    } catch (error) {
      return [
        fail(
          {
            en: `${host} does not take mails: ${describeError(error)}`,
            ru: `${host} не принимает письма: ${describeError(error)}`,
          },
          {
            en: 'Look at host, port, user and password in SMTP_URL; a character such as @ in them is written %40.',
            ru: 'Посмотрите на узел, порт, пользователя и пароль в SMTP_URL; знак вроде @ в них пишется как %40.',
          },
        ),
      ];
    }
  },
};
