import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type EnrolmentKey, limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { useScrollTarget } from '../../../shared/page/scroll-target.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import list from '../../../shared/ui/item-list.module.css';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { CreatedKeyDialog } from './CreatedKeyDialog.tsx';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { EnrolmentKeyRow } from './EnrolmentKeyRow.tsx';
import { enrolmentKeysQuery, useRevokeEnrolmentKey } from './queries.ts';

/** The place in the settings that other pages lead to. */
const enrolmentKeysAnchor = 'enrolment-keys';

/** The keys by which devices add themselves, and the way to a new one; for admins. */
export function EnrolmentKeysSection({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('enrolmentKeys');
  const { formatNumber } = useFormat();
  const { refOf } = useScrollTarget();
  const { data: keys, error, refetch } = useQuery(enrolmentKeysQuery(organizationId));
  const [isCreating, creating] = useDisclosure();
  const [created, setCreated] = useState<string>();
  const [doomed, setDoomed] = useState<EnrolmentKey>();
  const [isAsking, asking] = useDisclosure();
  const revocation = useRevokeEnrolmentKey(organizationId);

  const isFull =
    (keys?.filter(({ state }) => state === 'active').length ?? 0) >= limits.enrolmentKeysPerOrganization;
  const limit = formatNumber(limits.enrolmentKeysPerOrganization);
  const reason = isFull ? t('limit', { limit }) : undefined;
  const revoke = () => {
    if (!doomed) return;
    const onSuccess = () => showToast({ severity: 'success', summary: t('revoked'), details: doomed.name });
    revocation.mutate(doomed.id, { onSuccess, onSettled: asking.close });
  };
  const content = () => {
    if (error && !keys) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!keys) return <SkeletonRows rows={1} height={56} />;
    if (keys.length === 0) {
      return (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      );
    }
    return (
      <ul className={list.list} aria-label={t('title')}>
        {keys.map((key) => (
          <EnrolmentKeyRow
            key={key.id}
            enrolmentKey={key}
            onRevoke={() => {
              setDoomed(key);
              asking.open();
            }}
          />
        ))}
      </ul>
    );
  };
  return (
    <div id={enrolmentKeysAnchor} ref={refOf(enrolmentKeysAnchor)}>
      <Section
        title={t('title')}
        actions={
          <DisabledReason reason={reason}>
            <Button variant="default" size="xs" onClick={creating.open}>
              {t('create')}
            </Button>
          </DisabledReason>
        }
      >
        <Stack gap="md">
          <Text size="sm" maw={560}>
            {t('hint')}
          </Text>
          {content()}
        </Stack>
      </Section>
      <CreateKeyDialog
        organizationId={organizationId}
        opened={isCreating}
        onClose={creating.close}
        onCreated={({ key }) => {
          creating.close();
          setCreated(key);
        }}
      />
      <CreatedKeyDialog enrolmentKey={created} onClose={() => setCreated(undefined)} />
      <ConfirmDialog
        opened={isAsking}
        title={t('revokeTitle', { name: doomed?.name ?? '' })}
        confirmLabel={t('revoke')}
        isPending={revocation.isPending}
        onConfirm={revoke}
        onClose={asking.close}
      >
        {t('revokeText')}
      </ConfirmDialog>
    </div>
  );
}
