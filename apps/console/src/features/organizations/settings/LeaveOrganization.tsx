import { Button } from '@mantine/core';
import type { Member, Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { useAskToLeave } from '../leave.ts';
import { isOnlyOwner } from '../members/management-rules.ts';
import { DangerousAction } from './DangerousAction.tsx';

interface Props {
  organization: Organization;
  members: readonly Member[];
}

export function LeaveOrganization({ organization, members }: Props) {
  const { t } = useTranslation('organizations');
  const router = useRouter();
  const { data: user } = useQuery(currentUserQuery);
  const askToLeave = useAskToLeave(
    organization,
    () => void router.navigate({ href: paths.organizations(), replace: true }),
  );
  const reason = user && isOnlyOwner(user.id, members) ? t('leave.lastOwner') : undefined;
  return (
    <DangerousAction title={t('leave.button')} hint={t('leave.hint')} reason={reason}>
      <DisabledReason reason={reason}>
        <Button variant="outline" color="red" onClick={askToLeave}>
          {t('leave.button')}
        </Button>
      </DisabledReason>
    </DangerousAction>
  );
}
