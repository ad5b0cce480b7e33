import { fastifyCookie } from '@fastify/cookie';
import { readCookie } from '../../../platform/http/read-cookie.ts';

/** The cookie of Grafana's host: of that host alone, and never shown to Grafana. */
export function createGrafanaCookie({ secure }: { secure: boolean }) {
  const name = secure ? '__Host-pult_grafana' : 'pult_grafana';
  return {
    read: (header: string | undefined) => readCookie(header, name),
    serialize: (value: string, expires: Date) =>
      fastifyCookie.serialize(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, expires }),
    /** Ours, and those by which Grafana would know somebody on its own: it neither gets nor sets one. */
    isReserved: (candidate: string) =>
      /^((__host-|__secure-)?pult_|grafana_session|renderkey$)/i.test(candidate),
  };
}
