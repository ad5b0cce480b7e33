import type { IncomingMessage, ServerResponse } from 'node:http';
import { negotiateLocale, type Text } from '@pult/contract';
import { isPageLoad } from '../../../platform/http/error-page.ts';
import { escapeHtml } from '../../../platform/http/escape-html.ts';
import { sendRedirect } from '../../../platform/http/send-redirect.ts';
import { renderSmallPage, smallPagePolicy } from '../../../platform/http/small-page.ts';

const title: Text = { ru: 'Открываем веб-интерфейс…', en: 'Opening the web interface…' };
const link: Text = { ru: 'Продолжить', en: 'Continue' };

/**
 * Leads a browser on to a path of this host, with its new cookie. From a page of this very host: behind a redirect that the console has
 * begun, the browser would take the path for one that another site leads to, and leave the cookie out.
 */
export function sendEntry(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (!isPageLoad(request)) {
    sendRedirect(response, 303, path, headers);
    return;
  }
  const locale = negotiateLocale(request.headers['accept-language']);
  const page = renderSmallPage(locale, title[locale], `<a href="${escapeHtml(path)}">${link[locale]}</a>`);
  response
    .writeHead(200, {
      ...headers,
      refresh: `0;url=${path}`,
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(page),
      'content-security-policy': smallPagePolicy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      vary: 'accept, accept-language',
    })
    .end(page);
}
