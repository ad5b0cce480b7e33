const hidden = '[hidden]';

/** The part of a word by which it names a secret. */
const secretName =
  '(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|enrol\\w{0,8}[_-]key|private[_-]?key|psk|credential)s?';

/** As in JSON, and in JSON that is a text of JSON; a quote of the value's own has a backslash before it. */
const quoted = `\\\\{1,3}"[^"\\\\]{0,4000}\\\\{1,3}"|"(?:[^"\\\\]|\\\\.)*"|'[^']*'`;

/** In quotes where it stood in some: what is JSON stays so. */
const hideValue = (_: string, name: string, value: string) => {
  const [quote = ''] = /^\\*["']/.exec(value) ?? [];
  return `${name}${quote}${hidden}${quote}`;
};

// Each begins with something fixed and repeats nothing without a bound: a line of a million letters takes no time.
const rules: readonly [RegExp, string | typeof hideValue][] = [
  // --password x, --token=x
  [new RegExp(`(--[\\w.-]{0,40}${secretName}[= ])(${quoted}|\\S+)`, 'gi'), hideValue],
  // password: x, "token": "x", PASSWORD=x, password => x; what is said to be there or not stays
  [
    new RegExp(
      `(${secretName}[\\w-]{0,20}(?:\\\\{0,3}["'])?\\s{0,4}[:=]>?(?!\\s{0,4}(?:null|true|false)(?:[\\s,}\\]]|$))\\s{0,4})(${quoted}|[^\\s,;&"']+)`,
      'gi',
    ),
    hideValue,
  ],
  [/\b(authorization["']?\s{0,4}[:=]\s{0,4}["']?)(?:(?:basic|bearer|digest)\s+)?[^\s"',]+/gi, `$1${hidden}`],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${hidden}`],
  [/\b(cookie["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"'][^"'\n]*/gi, `$1${hidden}`],
  // user:password@ of an address; a password may hold an @ itself
  [/(:\/\/[^\s/:@]{0,200}:)[^\s/]{1,500}@/g, `$1${hidden}@`],
  // ?ticket=x of an address
  [/([?&][\w-]{0,40}(?:ticket|code|key|state|sig(?:nature)?)=)[^\s&"']+/gi, `$1${hidden}`],
  // What tells itself: tokens and keys of ours and of webhooks, JWTs, bots of Telegram, hooks of Slack, activation tokens
  [/\b(?:pult_[a-z]{1,10}_|pek_|whsec_)[\w+/=-]{8,}/g, hidden],
  [/(?<![\w-])eyJ[\w-]{8,8000}\.[\w-]{8,8000}\.[\w-]{8,}/g, hidden],
  [/(?<!\d)(\d{6,12}:)[\w-]{30,}/g, `$1${hidden}`],
  [/(\/services\/T\w{1,20}\/B\w{1,20}\/)\w+/g, `$1${hidden}`],
  [/\b[A-Z2-7]{6}(?:-[A-Z2-7]{6}){3}\b/g, hidden],
  // 32 random bytes: sessions, tickets, links in mails. Fingerprints look the same and are none.
  [/(?<![\w+-]|SHA256:)[\w-]{43}(?![\w+-])/g, hidden],
];

/**
 * What stands between the ends of a key: a word or nothing, one behind what a journal says first, or a header. Anybody may have a log
 * tell of the beginning of a key, such as by a name to log in with: it hides nothing but a key.
 */
const keyLine =
  /^\s{0,8}(?:[^\s{]\S{0,200})?\s{0,8}$|[\s|][\w+/=-]{20,200}\s{0,8}$|[:|]\s{0,8}$|\b(?:Proc-Type|DEK-Info): /;

/** Hides what looks like a secret, line by line: passwords, tokens, keys, credentials in addresses. */
function createRedactor(): (line: string) => string {
  let isInKey = false;
  return (line) => {
    if (isInKey) {
      const isEnd = /-----END [A-Z ]*PRIVATE KEY-----/.test(line);
      isInKey = !isEnd && keyLine.test(line);
      if (isEnd || isInKey) return hidden;
    }
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line)) {
      isInKey = !/-----END [A-Z ]*PRIVATE KEY-----/.test(line);
      return hidden;
    }
    return rules.reduce(
      (text, [pattern, replacement]) =>
        typeof replacement === 'string'
          ? text.replace(pattern, replacement)
          : text.replace(pattern, replacement),
      line,
    );
  };
}

/** The same for a whole output, in parts, so that no copy of it all stands in memory. */
export function redact(output: Buffer): Buffer {
  const redactLine = createRedactor();
  const parts: Buffer[] = [];
  const partBytes = 64 * 1024;
  for (let start = 0; start < output.length; ) {
    const newline = output.indexOf(0x0a, Math.min(start + partBytes, output.length - 1));
    const end = newline === -1 ? output.length : newline + 1;
    const lines = output.toString('utf8', start, end).split('\n').map(redactLine);
    parts.push(Buffer.from(lines.join('\n')));
    start = end;
  }
  return Buffer.concat(parts);
}
