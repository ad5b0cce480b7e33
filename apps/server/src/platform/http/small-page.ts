import { createHash } from 'node:crypto';
import type { Locale } from '@pult/contract';
import { escapeHtml } from './escape-html.ts';

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fafafa,#16181b);color:light-dark(#1c1e21,#e6e8ea)}
main{max-width:26rem;padding:24px}
h1{font-size:20px;line-height:1.3;margin:0 0 8px}
p{margin:0 0 20px;color:light-dark(#565c64,#a3a9b0)}
a{color:light-dark(#0b6b66,#4fc3b9)}
button{font:inherit;padding:8px 16px;border:0;border-radius:6px;background:#0b6b66;color:#fff}`;

/** How a Content-Security-Policy names a script or a style that stands in a page itself. */
export const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The Content-Security-Policy of a small page: its own style and nothing else. */
export const smallPagePolicy = `default-src 'none'; style-src ${hashSource(style)}; frame-ancestors 'none'; base-uri 'none'`;

/** A page of a few words that needs nothing of the console. `content` is HTML. */
export function renderSmallPage(locale: Locale, title: string, content: string): string {
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>
`;
}
