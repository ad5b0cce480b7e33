import type { Locale } from '@pult/contract';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { currentUserQuery } from '../api/queries.ts';
import { isAuthorized } from '../auth/authorization.ts';
import { changeLocale } from '../i18n/i18n.ts';

/** Changes the language of the page, and of the mails to whoever is logged in. */
export function useChangeLanguage(): (locale: Locale) => void {
  const client = useQueryClient();
  return (locale) => {
    changeLocale(locale);
    if (!isAuthorized()) return;
    api('updateCurrentUser', { body: { locale } }).then(
      (user) => client.setQueryData(currentUserQuery.queryKey, user),
      // The page has changed; the next login tells the server anyway.
      () => undefined,
    );
  };
}
