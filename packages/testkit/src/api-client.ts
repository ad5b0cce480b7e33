import { type Client, createClient, type Locale, lifetimes } from '@pult/contract';

export interface ApiClientOptions {
  baseUrl: string;
  username: string;
  password: string;
  locale?: Locale;
}

export interface ApiClient {
  call: Client;
  /** The access token of the first login, for `Authorization: Bearer`; good for a quarter of an hour. */
  access: string;
}

/** Logs in and answers a client whose calls carry an access token; it keeps no cookie, and logs in anew in good time. */
export async function createApiClient(options: ApiClientOptions): Promise<ApiClient> {
  const { baseUrl, username, password, locale = 'en' } = options;
  const getLocale = () => locale;
  const logIn = createClient({ baseUrl, getLocale });
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
    return fetch(input, { ...init, headers });
  };
  const access = await getAccess();
  return { call: createClient({ baseUrl, getLocale, fetch: fetchWithAccess }), access };
}
