import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatText, negotiateLocale, type Text } from '@pult/contract';
import { escapeHtml } from './escape-html.ts';
import { renderSmallPage, smallPagePolicy } from './small-page.ts';

/** What is said on a host of ours in place of what is behind it. */
export interface ErrorPage {
  status: number;
  /** Seconds until the page loads itself again. */
  retry?: number;
  title: Text;
  text: Text;
}

interface ErrorPageContext {
  /** Where the way back to the console leads. */
  consoleUrl: string;
  /** For the placeholders of title and text. */
  values?: Readonly<Record<string, string>>;
}

interface RenderedErrorPage {
  status: number;
  headers: Record<string, string | number>;
  body: string;
}

const linkText: Text = { ru: 'Открыть консоль', en: 'Open the console' };

/** Whether the browser loads a page, and no part of one. */
export function isPageLoad({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true;
}

/**
 * The page in the language of the request, or its text for anything that reads no HTML. Only page loads retry by
 * themselves, so that a form is never sent twice.
 */
export function renderErrorPage(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  page: ErrorPage,
  { consoleUrl, values = {} }: ErrorPageContext,
): RenderedErrorPage {
  const locale = negotiateLocale(request.headers['accept-language']);
  const text = formatText(page.text, locale, values).trim();
  const isHtml = request.headers.accept?.includes('text/html') === true;
  const link = `<a href="${escapeHtml(consoleUrl)}">${escapeHtml(linkText[locale])}</a>`;
  const body = isHtml
    ? renderSmallPage(locale, formatText(page.title, locale, values), `<p>${escapeHtml(text)}</p>${link}`)
    : `${text}\n`;
  return {
    status: page.status,
    headers: {
      'content-type': isHtml ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'content-security-policy': smallPagePolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      vary: 'accept-language',
      ...(page.retry !== undefined && isPageLoad(request) ? { refresh: String(page.retry) } : {}),
    },
    body,
  };
}

export function sendErrorPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: ErrorPage,
  context: ErrorPageContext,
): void {
  if (response.headersSent) {
    // Part of another answer is out: only a cut connection says that the rest is missing.
    response.destroy();
    return;
  }
  const { status, headers, body } = renderErrorPage(request, page, context);
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
}
