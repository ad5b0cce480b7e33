import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { paths } from '../../shared/paths.ts';
import type { ArrivedInvite } from './components/AcceptInviteDialog.tsx';

/** The invite that the address brought. The address loses it at once: its token is a secret. */
export function useArrivedInvite(token: string | undefined, orgName: string | undefined) {
  const navigate = useNavigate();
  const [invite, setInvite] = useState<ArrivedInvite | undefined>();
  useEffect(() => {
    if (!token) return;
    setInvite({ token, orgName });
    void navigate({ to: paths.organizations(), search: {}, replace: true });
  }, [token, orgName, navigate]);
  return { invite, dismiss: () => setInvite(undefined) };
}
