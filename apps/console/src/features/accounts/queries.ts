import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { setAuthorized } from '../../shared/auth/authorization.ts';

interface Credentials {
  username: string;
  password: string;
}

/** A login that returns `access` makes the user authorized (spec, section 4). The username is lower-cased (section 5). */
export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ username, password }: Credentials) =>
      api('login', { body: { username: username.trim().toLowerCase(), password } }),
    onSuccess: (answer) => {
      if (!answer.access) return;
      // Whoever was logged in before leaves nothing to whoever is now.
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKeys.environments[0] });
      setAuthorized(true);
    },
  });
}
