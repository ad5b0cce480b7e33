import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery, organizationsQuery } from '../../../shared/api/queries.ts';
import { IconPlus } from '../../../shared/icons/IconPlus.ts';
import { paths } from '../../../shared/paths.ts';
import { shortenName, showToast } from '../../../shared/toasts/show-toast.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { AcceptInviteDialog, type ArrivedInvite } from '../components/AcceptInviteDialog.tsx';
import { CreateOrganizationDialog } from '../components/CreateOrganizationDialog.tsx';
import { OrganizationsGrid } from '../components/OrganizationsGrid.tsx';

interface Props {
  /** Of an invite to accept. */
  token: string | undefined;
  orgName: string | undefined;
}

export function OrganizationsPage({ token, orgName }: Props) {
  const { t } = useTranslation('organizations');
  const router = useRouter();
  const navigate = useNavigate();
  const isAsked = useLocation({ select: ({ state }) => state.isCreatingOrganization === true });
  const [isChosen, setIsChosen] = useState(false);
  const setIsCreating = (next: boolean) => {
    setIsChosen(next);
    if (isAsked) void navigate({ to: paths.organizations(), state: {}, replace: true });
  };
  const isCreating = isChosen || isAsked;
  const { invite, dismiss } = useArrivedInvite(token, orgName);
  const organizations = useQuery(organizationsQuery);
  const { data: user } = useQuery(currentUserQuery);
  // A session of one organization makes no other.
  const create = user && user.signedInto === undefined && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      {t('create')}
    </Button>
  );
  // The only primary action of the page: in the empty state when that is shown.
  const isEmpty = organizations.data?.length === 0;
  return (
    <Page title={t('title')} actions={isEmpty ? null : create}>
      <OrganizationsGrid query={organizations} create={create} />
      <CreateOrganizationDialog
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(organization) => {
          setIsCreating(false);
          showToast({ severity: 'success', summary: t('created'), details: organization.name });
          void router.navigate({ href: paths.controllers(organization.id) });
        }}
      />
      <AcceptInviteDialog
        invite={invite}
        onClose={() => void dismiss()}
        onDecline={() => {
          void dismiss();
          showToast({ severity: 'info', summary: t('accept.declined'), details: t('accept.declinedHint') });
        }}
        onAccepted={async ({ id, name }) => {
          showToast({ severity: 'success', summary: t('accept.joined', { name: shortenName(name) }) });
          await dismiss();
          await router.navigate({ href: paths.organization(id) });
        }}
      />
    </Page>
  );
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Waits for an answer on the page of organizations. */
    arrivedInvite?: ArrivedInvite | undefined;
    /** Whoever comes wants to create one. */
    isCreatingOrganization?: boolean | undefined;
  }
}

/**
 * The invite that the address brought. The address loses it at once: its token is a secret. It stays with the entry
 * of the tab's history until it is answered, so that a reload still finds it.
 */
function useArrivedInvite(token: string | undefined, orgName: string | undefined) {
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
