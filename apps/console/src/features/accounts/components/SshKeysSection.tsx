import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Environments, SshKey } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSshCommands } from '../../../shared/ssh-command.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { sshKeysQuery, useAddSshKey, useDeleteSshKey } from '../security-queries.ts';
import { AddSshKeyDialog } from './AddSshKeyDialog.tsx';
import classes from './accounts.module.css';
import { SshKeyRow } from './SshKeyRow.tsx';

interface Props {
  email: string;
  environments: Environments;
}

/** The keys for native SSH. Where the server has none of that, only to whom has keys from before. */
export function SshKeysSection({ email, environments }: Props) {
  const { t } = useTranslation('security');
  const { data: keys, error, refetch } = useQuery(sshKeysQuery);
  const [isAdding, adding] = useDisclosure();
  const [doomed, setDoomed] = useState<SshKey>();
  const [isAsking, asking] = useDisclosure();
  const add = useAddSshKey();
  const remove = useDeleteSshKey();
  const { SSH_JUMP: jump } = environments;
  if (!jump && !keys?.length) return null;

  const removeDoomed = () => {
    if (!doomed) return;
    const onSuccess = () => showToast({ severity: 'success', summary: t('sshKeys.deleted') });
    remove.mutate(doomed.id, { onSuccess, onSettled: asking.close });
  };
  return (
    <Section
      id="ssh-keys"
      title={t('sshKeys.title')}
      actions={
        jump && (
          <Button variant="default" size="xs" onClick={adding.open}>
            {t('sshKeys.add')}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <Text size="sm" maw={560}>
          {t(jump ? 'sshKeys.text' : 'sshKeys.off')}
        </Text>
        {error && !keys && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !keys && <SkeletonRows rows={1} height={56} />}
        {keys?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('sshKeys.none')}
          </Text>
        )}
        {keys && keys.length > 0 && (
          <ul className={classes.sessions} aria-label={t('sshKeys.title')}>
            {keys.map((key) => (
              <SshKeyRow
                key={key.id}
                sshKey={key}
                onDelete={() => {
                  setDoomed(key);
                  asking.open();
                }}
              />
            ))}
          </ul>
        )}
        {jump && keys && <JumpHost email={email} environments={environments} />}
      </Stack>
      <AddSshKeyDialog add={add} opened={isAdding} onClose={adding.close} />
      <ConfirmDialog
        opened={isAsking}
        title={t('sshKeys.deleteTitle', { name: doomed?.name ?? '' })}
        confirmLabel={t('sshKeys.delete')}
        isPending={remove.isPending}
        onConfirm={removeDoomed}
        onClose={asking.close}
      >
        {t('sshKeys.deleteText')}
      </ConfirmDialog>
    </Section>
  );
}

function JumpHost({ email, environments }: Props) {
  const { t } = useTranslation('security');
  const commands = formatSshCommands(environments, { email, serialNumber: t('sshKeys.serialNumber') });
  return (
    <>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('sshKeys.command')}
        </Text>
        <CopyText text={commands?.ssh ?? ''} form="block" />
      </div>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('sshKeys.fingerprint')}
        </Text>
        <CopyText text={environments.SSH_JUMP?.hostKeyFingerprint ?? ''} />
        <Text size="xs" c="dimmed" mt={4}>
          {t('sshKeys.fingerprintHint')}
        </Text>
      </div>
    </>
  );
}
