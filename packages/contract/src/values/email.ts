/** No domain is longer (RFC 1035, section 2.3.4), and what is needs square time: marks are put in order one by one. */
const maxDomainLength = 253;

/**
 * One address in one spelling: lower-cased, and an internationalized domain as the ASCII of its labels (RFC 5891), by which
 * `почта.рф` and `xn--80a1acny.xn--p1ai` are one. Any mail server takes that, with SMTPUTF8 or without. What is no such
 * address stays as it is otherwise.
 */
export function normalizeEmail(typed: string): string {
  const email = typed.trim().toLowerCase();
  const start = email.lastIndexOf('@') + 1;
  const domain = email.slice(start);
  if (start === 0 || domain.length > maxDomainLength || !/\P{ASCII}|xn--/u.test(domain)) return email;
  // `URL` would take more for a host than a domain: a port behind it, percent codes, line ends inside.
  if (!/^(?:[a-z0-9.-]|[^\p{ASCII}\p{White_Space}])+$/u.test(domain)) return email;
  try {
    // The one way to the rules of UTS 46 that browsers have as well as Node.js.
    return email.slice(0, start) + new URL(`http://${domain}`).hostname;
  } catch {
    return email;
  }
}

/** As zod's own, but that the last label may be an internationalized one, such as `xn--p1ai`. */
export const emailPattern =
  /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/i;

/** Of one that is normalized: there is none beyond ASCII. */
export function isEmail(email: string): boolean {
  return emailPattern.test(email);
}
