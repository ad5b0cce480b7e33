import { isIP } from 'node:net';
import { emailPattern, isEmail, normalizeEmail } from '@pult/contract';
import { Cron } from 'croner';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isSampleKey, isSampleSecret } from './sample-secrets.ts';

// Each type reads one variable's text. Messages complete the sentence "<NAME> …" and never contain the value,
// so that a secret put into the wrong variable is not printed either.

const fails = (ctx: z.RefinementCtx, message: string) => {
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
};

export const text = (maxLength: number) =>
  z.string().max(maxLength, `must be ${maxLength} characters at most`);

export const wholeNumber = (min: number, max: number) =>
  z.string().transform((value, ctx) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    return fails(ctx, `must be a whole number from ${min} to ${max}`);
  });

export const yesOrNo = z.string().transform((value, ctx) => {
  const word = value.toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return fails(ctx, 'must be true or false');
});

export const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** An absolute http or https address, as `URL` writes it. */
export const webAddress = z.string().transform((value, ctx) => {
  if (isWebAddress(value)) return new URL(value).href;
  return fails(ctx, 'must be an address that starts with http:// or https://');
});

/** The style of the map: an absolute web address, or a path on this server. */
export const webAddressOrPath = z.string().transform((value, ctx) => {
  if (/^\/(?![/\\])/.test(value)) return value;
  if (isWebAddress(value)) return new URL(value).href;
  return fails(ctx, 'must be an address that starts with http:// or https://, or a path that starts with /');
});

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** `https://host[:port]` in lower case, without the default port and the last slash. */
export const origin = z.string().transform((value, ctx) => parseOrigin(value, ctx));

export const origins = z
  .string()
  .transform((value, ctx) => commaSeparated(value).map((item) => parseOrigin(item, ctx)));

function parseOrigin(value: string, ctx: z.RefinementCtx): string {
  if (!isWebAddress(value)) {
    return fails(
      ctx,
      'must be an address that starts with http:// or https://, such as https://pult.example.com',
    );
  }
  const url = new URL(value);
  if (url.username || url.password) return fails(ctx, 'must not contain a user name or password');
  if (url.pathname !== '/' || url.search || url.hash) {
    return fails(ctx, 'must be a bare address without a path, such as https://pult.example.com');
  }
  return url.origin;
}

/** `name[:port]` in lower case. */
export const hostAndPort = z.string().transform((value, ctx) => {
  const host = value.toLowerCase();
  const parsed = /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && URL.canParse(`http://${host}`);
  return parsed ? host : fails(ctx, 'must be a domain with an optional port, such as pult.example.com:8443');
});

/** `20000-20099` → both ends, included. */
export const portRange = z.string().transform((value, ctx) => {
  const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(value) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (range.from >= 1 && range.from <= range.to && range.to <= 65535) return range;
  return fails(ctx, 'must be a range of ports such as 20000-20099');
});

/** Numbers of TCP ports. */
export const ports = z.string().transform((value, ctx) => {
  const items = commaSeparated(value);
  const numbers = items.map(Number);
  if (items.every((item) => /^\d{1,5}$/.test(item)) && numbers.every((port) => port >= 1 && port <= 65535)) {
    return numbers;
  }
  return fails(ctx, 'must be ports with commas between them, such as 8081,3000');
});

/** Addresses, networks in CIDR form, and the names that fastify's `trustProxy` knows. */
export const proxies = z.string().transform((value, ctx) => {
  const items = commaSeparated(value);
  if (items.every(isProxy)) return items;
  return fails(ctx, 'must be addresses or networks with commas between them, such as 10.0.0.0/8,192.168.1.5');
});

function isProxy(item: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(item)) return true;
  // The library also reads forms such as `127.1`, which mean something else to other programs.
  return isIP(item.split('/', 1)[0] ?? '') !== 0 && (ipaddr.isValid(item) || ipaddr.isValidCIDR(item));
}

const commaSeparated = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export const ids = z.string().transform((value, ctx) => {
  const items = commaSeparated(value.toLowerCase());
  if (items.every((item) => z.uuid().safeParse(item).success)) return items;
  return fails(ctx, 'must be ids such as 01890a5d-ac96-774b-bcce-b302099a8060, with commas between them');
});

/** Five fields, as crontab(5) has them. */
export const cronPattern = z.string().transform((value, ctx) => {
  try {
    if (value.split(/\s+/).length !== 5) throw new Error('fields');
    if (new Cron(value, { paused: true }).nextRun()) return value;
  } catch {
    // The parser's own words quote the value.
  }
  return fails(ctx, 'must be a crontab pattern of five fields, such as 0 3 * * *');
});

/** `days,weeks,months`. */
export const keptBackups = z.string().transform((value, ctx) => {
  const [, days, weeks, months] = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(value) ?? [];
  const kept = { days: Number(days), weeks: Number(weeks), months: Number(months) };
  if (kept.days + kept.weeks + kept.months > 0) return kept;
  return fails(ctx, 'must be three numbers of days, weeks and months, such as 7,4,6');
});

/** Bech32 of X25519 or, longer, of the hybrid keys of age. */
export const ageRecipients = z.string().transform((value, ctx) => {
  const items = commaSeparated(value);
  if (items.every((item) => /^age1[02-9ac-hj-np-z]{58,4000}$/.test(item))) return items;
  return fails(ctx, 'must be public keys of age (age1…) with commas between them');
});

export const email = z
  .string()
  .transform(normalizeEmail)
  .pipe(
    z.string().max(254, 'must be 254 characters at most').regex(emailPattern, 'must be an email address'),
  );

/** As they are in emails: in lower case and in ASCII. */
export const emailDomains = z.string().transform((value, ctx) => {
  const domains = commaSeparated(value).map((domain) =>
    domain.includes('@') ? domain : normalizeEmail(`@${domain}`).slice(1),
  );
  if (domains.length > 0 && domains.every((domain) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain))) {
    return domains;
  }
  return fails(ctx, 'must be domains with commas between them, such as example.com,example.org');
});

/** `name@example.com` or `Name <name@example.com>`. A domain beyond ASCII becomes what mail servers know it by. */
export const mailbox = z
  .string()
  .max(320, 'must be 320 characters at most')
  .transform((value, ctx) => {
    const address = /<([^<>]+)>$/.exec(value)?.[1] ?? value;
    const known = isEmail(address) ? address : normalizeEmail(address);
    const place = value.lastIndexOf(address);
    if (isEmail(known) && !/[\r\n]/.test(value)) {
      return value.slice(0, place) + known + value.slice(place + address.length);
    }
    return fails(ctx, 'must be an email address such as pult@example.com or Pult <pult@example.com>');
  });

/** `smtp://[user:password@]host[:port][?option=value]`, or smtps. */
export const mailServer = z.string().refine(
  (value) => {
    if (!/^smtps?:\/\/[^/?#\s]/i.test(value) || !URL.canParse(value)) return false;
    const { hostname, username, password } = new URL(value);
    return hostname !== '' && isPercentEncoded(username) && isPercentEncoded(password);
  },
  {
    message:
      'must be an address such as smtp://user:password@host:587, with other characters than letters and digits of user and password as %XX',
  },
);

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const address = (schemes: readonly string[], example: string) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)), {
      message: `must be an address such as ${example}`,
    });

/** Types whose values nobody may be shown. */
const secretTypes = new WeakSet<z.ZodType>();
export const isSecretType = (type: z.ZodType): boolean => secretTypes.has(type);

/** From 0 to 1. */
export const share = z.string().transform((value, ctx) => {
  const number = Number(value);
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) && number <= 1) return number;
  return fails(ctx, 'must be a number from 0 to 1');
});

const createNamedValues = () =>
  z.string().transform((value, ctx) => {
    const pairs = commaSeparated(value).map((item) => item.split(/=(.*)/s, 2));
    const isWhole = pairs.every(
      ([name = '', text]) => /^[\w.-]+$/.test(name.trim()) && text !== undefined && isPercentEncoded(text),
    );
    if (!isWhole) return fails(ctx, 'must be name=value with commas between them, values with %XX');
    return Object.fromEntries(
      pairs.map(([name = '', text = '']) => [name.trim(), decodeURIComponent(text.trim())]),
    );
  });

/** `name=value,name=value`, as OpenTelemetry writes headers and attributes (W3C Baggage). */
export const namedValues = createNamedValues();
export const secretNamedValues = createNamedValues();
secretTypes.add(secretNamedValues);

/** Lengths in characters as people count them (code points). */
export const secret = (min: number, max: number) => {
  const type = z.string().superRefine((value, ctx) => {
    const length = [...value].length;
    if (length < min || length > max) fails(ctx, `must have from ${min} to ${max} characters`);
    else if (isSampleSecret(value)) fails(ctx, 'is a sample value that anyone could guess; choose your own');
  });
  secretTypes.add(type);
  return type;
};

/** 32 random bytes. */
export const secretKey = z.string().superRefine((value, ctx) => {
  if (!/^[0-9a-f]{64}$/i.test(value) && !/^[A-Za-z0-9+/]{43}=?$/.test(value)) {
    fails(ctx, 'must be 32 bytes as 64 hex digits or base64; pult secrets key makes one');
  } else if (isSampleKey(readKey(value))) {
    fails(ctx, 'is a sample key that anyone could guess; pult secrets key makes one');
  }
});
secretTypes.add(secretKey);

/** Of a text that is a `secretKey`. */
export const readKey = (text: string): Buffer => Buffer.from(text, text.length === 64 ? 'hex' : 'base64');

/** One server of NATS, or several of one cluster; a login stands in each of them. */
export const natsServers = z.string().refine(
  (value) => {
    const servers = commaSeparated(value);
    return servers.length > 0 && servers.every(isNatsServer);
  },
  { message: 'must be addresses such as nats://host:4222 or tls://host:4222, with commas between them' },
);

function isNatsServer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value);
  if (protocol !== 'nats:' && protocol !== 'tls:') return false;
  if (hostname === '' || search !== '' || hash !== '' || !['', '/'].includes(pathname)) return false;
  return isPercentEncoded(username) && isPercentEncoded(password);
}
