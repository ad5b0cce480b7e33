import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../shared/api/client.ts';
import { setAuthorized } from '../../shared/auth/authorization.ts';
import { paths } from '../../shared/paths.ts';

/**
 * A logout makes the user unauthorized and leads to login (spec-coverage: Logout or a 401 sets unauthorized and goes to
 * login), also when no server answers it: then a toast says so.
 */
export function useLogout() {
  const router = useRouter();
  return useMutation({
    mutationFn: () => api('logout'),
    onSettled: () => {
      setAuthorized(false);
      return router.navigate({ href: paths.login() });
    },
  });
}
