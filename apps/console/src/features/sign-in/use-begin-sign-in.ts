import { limits } from '@pult/contract/values';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../shared/api/client.ts';

interface SignIn {
  /** That of the installation, or of an organization by its id. */
  provider: string;
  /** Where it ends: an address of the console. */
  returnTo: string;
}

/** Leads to the identity provider; what keeps it from that is told beside the button. */
export function useBeginSignIn() {
  const mutation = useMutation({
    mutationFn: ({ provider, returnTo }: SignIn) => {
      // A longer one is forgotten on the way.
      const body = returnTo.length <= limits.returnPathLength ? { returnTo } : {};
      return api('beginSignIn', { params: { provider }, body });
    },
    meta: { errors: { inPlace: 'all', stays: [401, 403] } },
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const { reset } = mutation;
  // Back from the provider the browser may show the page as it was left: with a button that waits.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);
  return { ...mutation, isLeaving: mutation.isPending || mutation.isSuccess };
}
