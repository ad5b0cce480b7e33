import { createHash } from 'node:crypto';
import { formatText, type Locale, type Text } from '@pult/contract';
import { escapeHtml } from '../../../platform/http/escape-html.ts';

interface PageDefinition {
  status: number;
  title: Text;
  text: Text;
}

/** What is said on Grafana's host, and on the way to it, when Grafana cannot. */
export const grafanaPages = {
  unauthorized: {
    status: 401,
    title: { ru: 'Доступ закрыт', en: 'No access' },
    text: {
      ru: 'Откройте мониторинг из консоли: так станет ясно, чьи измерения показать.',
      en: 'Open monitoring from the console, so that it is clear whose measurements to show.',
    },
  },
  forbidden: {
    status: 403,
    title: { ru: 'Запрос отклонён', en: 'The request was refused' },
    text: {
      ru: 'Этот запрос пришёл с чужой страницы или ведёт туда, куда через консоль попасть нельзя.',
      en: 'This request came from another site, or leads where the console does not lead.',
    },
  },
  ticket: {
    status: 400,
    title: { ru: 'Пропуск устарел', en: 'The pass has expired' },
    text: {
      ru: 'Пропуск в Grafana действует один раз и одну минуту. Откройте мониторинг ещё раз из консоли.',
      en: 'A pass to Grafana works once and for one minute. Open monitoring again from the console.',
    },
  },
  unavailable: {
    status: 503,
    title: { ru: 'Grafana не отвечает', en: 'Grafana does not answer' },
    text: {
      ru: 'Измерения копятся и без неё. Обновите страницу через минуту.',
      en: 'Measurements are kept without it too. Load this page again in a minute.',
    },
  },
} as const satisfies Record<string, PageDefinition>;
export type GrafanaPage = keyof typeof grafanaPages;

const consoleLink: Text = { ru: 'Открыть консоль', en: 'Open the console' };
const passTexts = {
  title: { ru: 'Открываем Grafana', en: 'Opening Grafana' },
  button: { ru: 'Продолжить', en: 'Continue' },
} satisfies Record<string, Text>;

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fafafa,#16181b);color:light-dark(#1c1e21,#e6e8ea)}
main{max-width:26rem;padding:24px}
h1{font-size:20px;line-height:1.3;margin:0 0 8px}
p{margin:0 0 20px;color:light-dark(#565c64,#a3a9b0)}
a{color:light-dark(#0b6b66,#4fc3b9)}
button{font:inherit;padding:8px 16px;border:0;border-radius:6px;background:#0b6b66;color:#fff}`;
const submit = 'document.forms[0].submit()';
const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const styleOnly = `default-src 'none'; style-src ${hashSource(style)}; frame-ancestors 'none'; base-uri 'none'`;

function renderFrame(locale: Locale, title: string, content: string): string {
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>
`;
}

export interface RenderedPage {
  html: string;
  /** Its Content-Security-Policy. */
  policy: string;
}

/** Says what went wrong, with the way back to the console. */
export function renderGrafanaPage(page: GrafanaPage, locale: Locale, consoleUrl: string): RenderedPage {
  const { title, text } = grafanaPages[page];
  const content = `<p>${escapeHtml(formatText(text, locale, {}))}</p><a href="${escapeHtml(consoleUrl)}">${escapeHtml(consoleLink[locale])}</a>`;
  return { html: renderFrame(locale, title[locale], content), policy: styleOnly };
}

/** Hands a ticket to Grafana's host in the body of a form: in an address it would lie in histories and logs. */
export function renderPass(ticket: string, target: string, locale: Locale): RenderedPage {
  const content = `<form method="post" action="${escapeHtml(target)}"><input type="hidden" name="ticket" value="${escapeHtml(ticket)}"><button>${escapeHtml(passTexts.button[locale])}</button></form><script>${submit}</script>`;
  return {
    html: renderFrame(locale, passTexts.title[locale], content),
    policy: `${styleOnly}; script-src ${hashSource(submit)}; form-action ${new URL(target).origin}`,
  };
}
