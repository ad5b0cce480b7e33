import type { MailTexts } from '../../../platform/mail/index.ts';

/** `{organization}` is made inert by `toInertText`. */
export const inviteMail: MailTexts = {
  kind: 'invite',
  subject: { ru: 'Приглашение в {service}', en: 'Invite to {service}' },
  paragraphs: [
    {
      ru: '{inviter} приглашает вас в организацию «{organization}» в {service}.',
      en: '{inviter} invites you to the organization “{organization}” in {service}.',
    },
    {
      ru: 'Ссылка действует 7 дней и только для этой почты: {email}.',
      en: 'The link works for 7 days and only for this email: {email}.',
    },
    {
      ru: 'Если вы не ждали приглашения, просто не отвечайте на него.',
      en: 'If you did not expect an invite, simply ignore it.',
    },
  ],
  action: { ru: 'Принять приглашение', en: 'Accept the invite' },
};

/** Longer names are cut: the mail is about the invite. */
const nameLength = 100;

/**
 * An organization's name as a stranger's mail may show it. Anyone may name an organization anything, so it stays
 * on one line, does not turn the text around it, and no mail program makes a link of it: a zero-width space
 * after each dot, colon, slash and @ keeps it from being an address.
 */
export function toInertText(name: string): string {
  const plain = name.replace(/\p{Cf}/gu, '').replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const letters = [...plain.trim()];
  const short = letters.length > nameLength ? `${letters.slice(0, nameLength).join('')}…` : letters.join('');
  return short.replace(/[.:/@\\]/g, '$&\u200b');
}
