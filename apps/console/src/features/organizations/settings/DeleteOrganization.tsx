import { Button } from '@mantine/core';
import { isAllowed, type Member, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { organizationCountQuery, useDeleteOrganization } from '../queries.ts';
import { DangerousAction } from './DangerousAction.tsx';

interface Props {
  organization: Organization;
  members: readonly Member[];
}

export function DeleteOrganization({ organization: { id, name, userRole }, members }: Props) {
  const { t } = useTranslation(['organizationSettings', 'shared']);
  const router = useRouter();
  const { data: controllers } = useQuery(organizationCountQuery(id));
  const deletion = useDeleteOrganization(id);

  const reason = () => {
    if (!isAllowed(userRole, 'organization.delete')) {
      return t('roleTooWeak.owner', { ns: 'shared' });
    }
    if (controllers && controllers.count > 0) return t('delete.hasControllers');
    return members.length > 1 ? t('delete.hasMembers') : undefined;
  };
  const ask = () =>
    confirm({
      title: t('delete.title', { name }),
      text: t('delete.text'),
      action: t('delete.confirm'),
      typedName: name,
      run: () =>
        deletion.mutateAsync(undefined, {
          onSuccess: () => {
            showToast({ severity: 'success', summary: t('delete.done'), details: name });
            void router.navigate({ href: paths.organizations(), replace: true });
          },
        }),
    });
  const told = reason();
  return (
    <DangerousAction title={t('delete.button')} hint={t('delete.hint')} reason={told}>
      <DisabledReason reason={told}>
        <Button variant="outline" color="red" onClick={ask}>
          {t('delete.button')}
        </Button>
      </DisabledReason>
    </DangerousAction>
  );
}
