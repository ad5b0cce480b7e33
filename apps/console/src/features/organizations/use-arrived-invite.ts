import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { paths } from '../../shared/paths.ts';
import type { ArrivedInvite } from './components/AcceptInviteDialog.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Waits for an answer on the page of organizations. */
    arrivedInvite?: ArrivedInvite | undefined;
  }
}

/**
 * The invite that the address brought. The address loses it at once: its token is a secret. It stays with the entry
 * of the tab's history until it is answered, so that a reload still finds it.
 */
export function useArrivedInvite(token: string | undefined, orgName: string | undefined) {
  const navigate = useNavigate();
  const invite = useLocation({ select: ({ state }) => state.arrivedInvite });
  useEffect(() => {
    if (!token) return;
    const state = { arrivedInvite: { token, orgName } };
    void navigate({ to: paths.organizations(), search: {}, state, replace: true });
  }, [token, orgName, navigate]);
  const dismiss = () => navigate({ to: paths.organizations(), search: {}, state: {}, replace: true });
  return { invite, dismiss };
}
