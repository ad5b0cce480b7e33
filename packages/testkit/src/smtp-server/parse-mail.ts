export interface ParsedMail {
  /** By lower-case name; encoded words and folds are undone. A name that comes twice has both values. */
  headers: ReadonlyMap<string, readonly string[]>;
  text: string;
  html: string;
}

/** Reads a mail as far as ours go: one `multipart/alternative` with a text and an HTML part in UTF-8. */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = splitHead(raw);
  const boundary = /boundary="?([^";\s]+)"?/.exec(headers.get('content-type')?.[0] ?? '')?.[1];
  if (boundary === undefined) throw new Error('the mail has no parts');
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitHead(part.replace(/^\r?\n/, '')));
  const find = (type: string) => {
    const part = parts.find((each) => each.headers.get('content-type')?.[0]?.startsWith(type));
    if (!part) throw new Error(`the mail has no part ${type}`);
    return decodeBody(part.body, part.headers.get('content-transfer-encoding')?.[0] ?? '7bit');
  };
  return { headers, text: find('text/plain'), html: find('text/html') };
}

function splitHead(raw: string) {
  const end = /\r?\n\r?\n/.exec(raw);
  const head = raw.slice(0, end?.index ?? raw.length).replace(/\r?\n[ \t]+/g, ' ');
  const headers = new Map<string, string[]>();
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), decodeWords(line.slice(colon + 1).trim())]);
  }
  return { headers, body: end ? raw.slice(end.index + end[0].length) : '' };
}

/** `=?UTF-8?B?…?=` of RFC 2047; the space between two of them is not part of the text. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/(=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, form = '', encoded = '']) =>
          form.toLowerCase() === 'b'
            ? Buffer.from(encoded, 'base64')
            : decodeQuotedPrintable(encoded.replaceAll('_', ' ')),
        ),
      ).toString(),
    );
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body).toString().replaceAll('\r\n', '\n');
  return body.replaceAll('\r\n', '\n');
}

function decodeQuotedPrintable(text: string): Buffer {
  const joined = text.replace(/=\r?\n/g, '');
  return Buffer.from(
    joined.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
