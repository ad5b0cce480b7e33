import type { Locale, Text } from '@pult/contract';
import type { ErrorPage } from '../../../platform/http/error-page.ts';
import { escapeHtml } from '../../../platform/http/escape-html.ts';
import { hashSource, renderSmallPage, smallPagePolicy } from '../../../platform/http/small-page.ts';

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
  unexpectedBody: {
    status: 400,
    title: { ru: 'Запрос отклонён', en: 'The request was refused' },
    text: {
      ru: 'У запроса GET, HEAD или TRACE не может быть тела. Отправьте данные методом POST.',
      en: 'A GET, HEAD or TRACE request cannot have a body. Send the data by POST.',
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
  busy: {
    status: 429,
    title: { ru: 'Слишком много соединений', en: 'Too many connections' },
    text: {
      ru: 'Сейчас открыто слишком много соединений с Grafana. Закройте лишние вкладки и обновите страницу.',
      en: 'Too many connections to Grafana are open now. Close tabs you no longer need and load this page again.',
    },
  },
  unavailable: {
    status: 503,
    title: { ru: 'Grafana не отвечает', en: 'Grafana does not answer' },
    text: {
      ru: 'Измерения копятся и без Grafana. Обновите страницу через минуту.',
      en: 'Measurements are kept without Grafana too. Load this page again in a minute.',
    },
  },
} as const satisfies Record<string, ErrorPage>;
export type GrafanaPage = keyof typeof grafanaPages;

const passTexts = {
  title: { ru: 'Открываем Grafana', en: 'Opening Grafana' },
  button: { ru: 'Продолжить', en: 'Continue' },
} satisfies Record<string, Text>;
const submit = 'document.forms[0].submit()';

/** Hands a ticket to Grafana's host in the body of a form: in an address it would lie in histories and logs. */
export function renderPass(ticket: string, target: string, locale: Locale): { html: string; policy: string } {
  const content = `<form method="post" action="${escapeHtml(target)}"><input type="hidden" name="ticket" value="${escapeHtml(ticket)}"><button>${escapeHtml(passTexts.button[locale])}</button></form><script>${submit}</script>`;
  return {
    html: renderSmallPage(locale, passTexts.title[locale], content),
    policy: `${smallPagePolicy}; script-src ${hashSource(submit)}; form-action ${new URL(target).origin}`,
  };
}
