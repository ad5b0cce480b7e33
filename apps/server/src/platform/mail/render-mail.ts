import { formatText, type Locale } from '@pult/contract';
import { escapeHtml } from '../http/escape-html.ts';
import type { MailContent } from './mail.ts';

export interface Sender {
  /** SERVICE_NAME. */
  serviceName: string;
  publicUrl: string;
}

const footer = {
  ru: 'Вы получили это письмо, потому что этот адрес указан на сервере {service}: {url}. Письмо отправлено автоматически, отвечать на него не нужно.',
  en: 'You get this mail because this address was given at {service}: {url}. It was sent automatically; there is no need to reply.',
};
const linkHint = {
  ru: 'Если кнопка не работает, откройте этот адрес в браузере:',
  en: 'If the button does not work, open this address in your browser:',
};

/** Values come from people: a line break in one must not begin a header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** The two forms of a mail. Everything in it is text: none of it becomes markup or a header. */
export function renderMail(content: MailContent, locale: Locale, sender: Sender) {
  const subject = oneLine(content.subject);
  const reason = formatText(footer, locale, { service: sender.serviceName, url: sender.publicUrl });
  const { action } = content;
  const text = [
    ...content.paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    `-- \n${reason}`,
  ].join('\n\n');
  return { subject, text: `${text}\n`, html: renderHtml({ content, subject, reason, locale, sender }) };
}

// Tables and inline styles: Outlook lays out nothing else. Colours of the text are left to the reader's program,
// which knows whether it is dark; the button brings both of its own.
function renderHtml(mail: {
  content: MailContent;
  subject: string;
  reason: string;
  locale: Locale;
  sender: Sender;
}): string {
  const { content, locale } = mail;
  const paragraph = (text: string, style = 'margin:0 0 16px') =>
    `<p style="${style}">${escapeHtml(text).replace(/\n/g, '<br>')}</p>`;
  const button = ({ label, url }: { label: string; url: string }) => `
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td bgcolor="#1f5fbf" style="border-radius:6px;background-color:#1f5fbf">
<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;color:#ffffff;text-decoration:none;font-weight:bold">${escapeHtml(label)}</a>
</td></tr></table>
<p style="margin:16px 0;font-size:13px">${escapeHtml(linkHint[locale])}<br>
<a href="${escapeHtml(url)}" style="word-break:break-all">${escapeHtml(url)}</a></p>`;
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(mail.subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px"><tr><td align="left">
${paragraph(mail.sender.serviceName, 'margin:0 0 24px;font-size:18px;font-weight:bold')}
${content.paragraphs.map((text) => paragraph(text)).join('\n')}${content.action ? button(content.action) : ''}
<hr style="border:0;border-top:1px solid #8a8f98;margin:24px 0 16px">
${paragraph(mail.reason, 'margin:0;font-size:13px')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}
