import { type Client, createClient, type Locale } from '@pult/contract';

export interface ApiClientOptions {
  baseUrl: string;
  username: string;
  password: string;
  locale?: Locale;
}

export interface ApiClient {
  call: Client;
  /** The access token, for `Authorization: Bearer`. */
  access: string;
}

/** Logs in and answers a client whose calls carry the access token; it keeps no cookie. */
export async function createApiClient(options: ApiClientOptions): Promise<ApiClient> {
  const { baseUrl, username, password, locale = 'en' } = options;
  const getLocale = () => locale;
  const { access } = await createClient({ baseUrl, getLocale })('login', { body: { username, password } });
  return {
    call: createClient({ baseUrl, getLocale, headers: { authorization: `Bearer ${access}` } }),
    access,
  };
}
