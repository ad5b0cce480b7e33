import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { createSecretToken, hashToken } from '../../platform/ids.ts';

/** Seconds that a browser is known after its last login. */
export const browserLifetime = 365 * 24 * 3600;

/**
 * The two cookies of the console's host. With https both carry the `__Host-` prefix, which keeps tunnel hosts
 * (siblings that run the devices' own scripts) from setting them.
 */
export interface SessionCookies {
  sessionName: string;
  browserName: string;
  setSession(reply: FastifyReply, token: string, expiresAt: Date): void;
  clearSession(reply: FastifyReply): void;
  /** Marks the browser as one where this account has logged in before; not a credential. */
  setBrowser(reply: FastifyReply, email: string, knownId: string | undefined): void;
  /** The browser's id, when it proves to have logged in to this account before. */
  readBrowser(value: string | undefined, email: string): string | undefined;
}

export function createSessionCookies(options: { secure: boolean; key: Buffer }): SessionCookies {
  const prefix = options.secure ? '__Host-' : '';
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: options.secure } as const;
  const sign = (email: string, id: string) =>
    createHmac('sha256', options.key).update(`known-browser\n${id}\n${email}`).digest('base64url');

  const cookies: SessionCookies = {
    sessionName: `${prefix}pult_session`,
    browserName: `${prefix}pult_browser`,
    setSession(reply, token, expiresAt) {
      void reply.setCookie(cookies.sessionName, token, { ...attributes, expires: expiresAt });
    },
    clearSession(reply) {
      void reply.clearCookie(cookies.sessionName, attributes);
    },
    setBrowser(reply, email, knownId) {
      const id = knownId ?? createSecretToken();
      const value = `${id}.${sign(email, id)}`;
      void reply.setCookie(cookies.browserName, value, { ...attributes, maxAge: browserLifetime });
    },
    readBrowser(value, email) {
      const [id = '', signature = ''] = value?.split('.') ?? [];
      // Compared by hash: the lengths need not be equal then.
      return timingSafeEqual(hashToken(signature), hashToken(sign(email, id))) ? id : undefined;
    },
  };
  return cookies;
}
