import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Grant, Organization, ServiceAccount } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { confirm } from '../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../shared/ui/DisabledReason.tsx';
import { Page } from '../../shared/ui/Page.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { SshKeyList, TokenList } from '../accounts/index.ts';
import { GiveAccessDialog, GrantList } from '../grants/index.ts';
import {
  serviceKeysQuery,
  serviceTokensQuery,
  useAddServiceKey,
  useCreateServiceToken,
  useDeleteService,
  useDeleteServiceKey,
  useDeleteServiceToken,
} from './queries.ts';

interface Props {
  organization: Organization;
  account: ServiceAccount;
  /** Of the account. */
  grants: readonly Grant[];
  onBack: () => void;
}

/** One account: its rights, tokens and keys, and its end. */
export function ServiceDetails({ organization, account, grants, onBack }: Props) {
  const { t } = useTranslation(['services', 'grants']);
  const { formatDate } = useFormat();
  const { id: accountId, name, createdAt, createdBy, lastUsedAt, isManageable } = account;
  const organizationId = organization.id;
  const unbacked = grants.filter(({ isUnbacked }) => isUnbacked).length;
  const names = { organizationId, accountId };
  const remove = useDeleteService(names);
  const [isGiving, giving] = useDisclosure();
  const date = formatDate(createdAt, 'date');
  const used = lastUsedAt === null ? t('neverUsed') : t('lastUsed', { date: formatDate(lastUsedAt) });
  const reason = isManageable ? undefined : t('notManageable');
  const subject = { type: 'service', id: accountId, name } as const;
  const askToDelete = () =>
    confirm({
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      action: t('delete'),
      run: async () => {
        await remove.mutateAsync();
        showToast({ severity: 'success', summary: t('deleted'), details: name });
        onBack();
      },
    });
  return (
    <Page
      title={name}
      heading={
        <Title order={1}>
          <bdi>{name}</bdi>
        </Title>
      }
      eyebrow={
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('back')}
        </Anchor>
      }
      actions={
        <DisabledReason reason={reason}>
          <Button variant="default" onClick={askToDelete}>
            {t('delete')}
          </Button>
        </DisabledReason>
      }
    >
      <Text size="sm" c="dimmed">
        {createdBy === null ? t('madeByServer', { date, used }) : t('made', { date, by: createdBy, used })}
      </Text>
      {unbacked > 0 && <Alert color="yellow">{t('unbacked', { count: unbacked })}</Alert>}
      {!isManageable && <Text size="sm">{t('notManageable')}</Text>}
      <Section title={t('rights')} description={grants.length === 0 ? t('noRights') : t('rightsText')}>
        <Stack gap="md" align="flex-start">
          {grants.length > 0 && <GrantList organizationId={organizationId} grants={grants} isNamed />}
          <Button variant="default" size="xs" onClick={giving.open}>
            {t('giveRights')}
          </Button>
        </Stack>
      </Section>
      <TokenList
        title={t('tokens')}
        empty={t('noTokens')}
        query={useQuery(serviceTokensQuery(names))}
        create={useCreateServiceToken(names)}
        remove={useDeleteServiceToken(names)}
        reason={reason}
      />
      <SshKeyList
        title={t('keys')}
        description={t('keysText', { name })}
        empty={t('noKeys')}
        query={useQuery(serviceKeysQuery(names))}
        add={useAddServiceKey(names)}
        remove={useDeleteServiceKey(names)}
        reason={reason}
      />
      <GiveAccessDialog
        organization={organization}
        people={[subject]}
        subject={name}
        controller=""
        opened={isGiving}
        onClose={giving.close}
        onGiven={() => {
          giving.close();
          showToast({ severity: 'success', summary: t('accessGiven', { ns: 'grants' }), details: name });
        }}
      />
    </Page>
  );
}
