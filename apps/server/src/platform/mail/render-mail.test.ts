import { describe, expect, it } from 'vitest';
import { renderMail } from './render-mail.ts';

const sender = { serviceName: 'Вышка & Co', publicUrl: 'https://pult.example.com' };
const content = {
  subject: 'Приглашение',
  paragraphs: ['Первый абзац.', 'Второй.\nСо второй строкой.'],
  action: { label: 'Принять', url: 'https://pult.example.com/invite?token=a&b=c' },
};

describe('a mail', () => {
  it('says everything in its text, the address and the reason for it included', () => {
    expect(renderMail(content, 'ru', sender).text).toBe(
      [
        'Первый абзац.',
        'Второй.\nСо второй строкой.',
        'Принять:\nhttps://pult.example.com/invite?token=a&b=c',
        '-- \nВы получили это письмо, потому что этот адрес указан на сервере Вышка & Co: https://pult.example.com. Письмо отправлено автоматически, отвечать на него не нужно.\n',
      ].join('\n\n'),
    );
  });

  it('says the same in its HTML, in the language it names', () => {
    const { html } = renderMail(content, 'ru', sender);
    expect(html).toContain('<html lang="ru">');
    expect(html).toContain('Второй.<br>Со второй строкой.');
    expect(html.match(/href="https:\/\/pult\.example\.com\/invite\?token=a&#38;b=c"/g)).toHaveLength(2);
    expect(html).toContain('Вышка &#38; Co');
    expect(renderMail(content, 'en', sender).html).toMatch(
      /<html lang="en">[\s\S]*If the button does not work[\s\S]*You get this mail because/,
    );
  });

  it('a mail has no link of its own where there is nothing to do', () => {
    const { html, text } = renderMail({ subject: 'Done', paragraphs: ['It is done.'] }, 'en', sender);
    expect(html).not.toContain('href');
    expect(text).toMatch(/^It is done\.\n\n-- \n/);
  });

  it('makes neither markup nor a header of anything people wrote', () => {
    const poison = '"><script>alert(1)</script>\r\nBcc: all@example.com\u2028x';
    const mail = renderMail(
      { subject: poison, paragraphs: [poison], action: { label: poison, url: poison } },
      'en',
      { serviceName: poison, publicUrl: poison },
    );
    expect(mail.subject).toBe('"><script>alert(1)</script> Bcc: all@example.com x');
    expect(mail.html).not.toContain('<script');
    expect(mail.html).not.toMatch(/="[^"]*"[^\s>]*>alert/);
  });
});
