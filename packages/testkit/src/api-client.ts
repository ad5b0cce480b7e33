import { type Client, createClient, type Locale, lifetimes } from '@pult/contract';
import type { HttpClient } from './http-client.ts';

export interface ApiClientOptions {
  baseUrl: string;
  username: string;
  password: string;
  locale?: Locale;
  /** Sends the calls, for a name or an authority that this machine does not know. */
  client?: HttpClient;
}

export interface ApiClient {
  call: Client;
  /** The access token of the first login, for `Authorization: Bearer`; good for a quarter of an hour. */
  access: string;
}

/** Logs in and answers a client whose calls send an access token; it keeps no cookie, and logs in anew in good time. */
export async function createApiClient(options: ApiClientOptions): Promise<ApiClient> {
  const { baseUrl, username, password, locale = 'en', client } = options;
  const send = client ? sendBy(client) : fetch;
  const getLocale = () => locale;
  const logIn = createClient({ baseUrl, getLocale, fetch: send });
  let renewAt = 0;
  let login: Promise<{ access: string }> | undefined;
  const getAccess = async () => {
    if (!login || performance.now() > renewAt) {
      renewAt = performance.now() + (lifetimes.accessToken * 1000) / 2;
      login = logIn('login', { body: { username, password } });
    }
    return (await login).access;
  };
  const fetchWithAccess: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${await getAccess()}`);
    return send(input, { ...init, headers });
  };
  const access = await getAccess();
  return { call: createClient({ baseUrl, getLocale, fetch: fetchWithAccess }), access };
}

function sendBy(client: HttpClient): typeof fetch {
  return async (input, init) => {
    const answer = await client.request(String(input), {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      withoutCookies: true,
    });
    const text = await answer.text();
    const type = answer.headers['content-type'];
    return new Response(text || null, {
      status: answer.status,
      headers: type ? { 'content-type': type } : {},
    });
  };
}
