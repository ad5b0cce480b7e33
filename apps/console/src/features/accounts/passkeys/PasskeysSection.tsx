import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Environments, Passkey, User } from '@pult/contract';
import { limits } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconFingerprint } from '../../../shared/icons/IconFingerprint.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import classes from '../components/accounts.module.css';
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx';
import { hasPasskeys } from './PasskeyOffer.tsx';
import { passkeysQuery, useDeletePasskey } from './queries.ts';

interface Props {
  user: User;
  environments: Environments;
}

/** The passkeys of one's account; where there can be none it says why. */
export function PasskeysSection({ user, environments }: Props) {
  const { t } = useTranslation('passkeys');
  const uses = environments.PASSKEYS;
  const { data: passkeys, error, refetch } = useQuery({ ...passkeysQuery, enabled: uses !== 'none' });
  const [isAdding, adding] = useDisclosure();
  const [doomed, setDoomed] = useState<Passkey>();
  const [isAsking, asking] = useDisclosure();
  const remove = useDeletePasskey();

  if (uses === 'none') {
    return (
      <Section id="passkeys" title={t('title')}>
        <Text size="sm" maw={560}>
          {t('unavailable')}
        </Text>
      </Section>
    );
  }
  const reason = () => {
    if (!user.totpEnabled) return t('needsTotp');
    if (!hasPasskeys()) return t('noBrowser');
    return undefined;
  };
  const isFull = (passkeys?.length ?? 0) >= limits.passkeysPerUser;
  const removeDoomed = () => {
    if (!doomed) return;
    const onSuccess = () => showToast({ severity: 'success', summary: t('deleted') });
    remove.mutate(doomed.id, { onSuccess, onSettled: asking.close });
  };
  return (
    <Section
      id="passkeys"
      title={t('title')}
      actions={
        !isFull && (
          <DisabledReason reason={reason()}>
            <Button variant="default" size="xs" onClick={adding.open}>
              {t('add')}
            </Button>
          </DisabledReason>
        )
      }
    >
      <Stack gap="md">
        <Text size="sm" maw={560}>
          {t(uses === 'login' ? 'textLogin' : 'text')}
        </Text>
        {error && !passkeys && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !passkeys && <SkeletonRows rows={1} height={56} />}
        {passkeys?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t(user.totpEnabled ? 'none' : 'needsTotp')}
          </Text>
        )}
        {passkeys && passkeys.length > 0 && (
          <ul className={classes.sessions} aria-label={t('title')}>
            {passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onDelete={() => {
                  setDoomed(passkey);
                  asking.open();
                }}
              />
            ))}
          </ul>
        )}
      </Stack>
      <AddPasskeyDialog opened={isAdding} onClose={adding.close} />
      <ConfirmDialog
        opened={isAsking}
        title={t('deleteTitle', { name: doomed?.name ?? '' })}
        confirmLabel={t('delete')}
        isPending={remove.isPending}
        onConfirm={removeDoomed}
        onClose={asking.close}
      >
        {t('deleteText')}
      </ConfirmDialog>
    </Section>
  );
}

function PasskeyRow({ passkey, onDelete }: { passkey: Passkey; onDelete: () => void }) {
  const { t } = useTranslation('passkeys');
  const { formatDate } = useFormat();
  const { name, isSynced, createdAt, lastUsedAt } = passkey;
  return (
    <li className={classes.session}>
      <IconFingerprint size={20} stroke={1.5} className={classes.sessionIcon} aria-hidden />
      <div className={classes.sessionText}>
        <Text size="sm" fw={500} className={classes.lead ?? ''}>
          {name}
        </Text>
        <div className={classes.sessionDetails}>
          {lastUsedAt ? (
            <time dateTime={lastUsedAt}>{t('lastUsed', { time: formatDate(lastUsedAt) })}</time>
          ) : (
            <span>{t('neverUsed')}</span>
          )}
          <time dateTime={createdAt}>{t('addedAt', { time: formatDate(createdAt) })}</time>
          {isSynced && <span>{t('synced')}</span>}
        </div>
      </div>
      <Button
        className={classes.sessionEnd ?? ''}
        variant="default"
        size="xs"
        onClick={onDelete}
        aria-label={t('deleteOne', { name })}
      >
        {t('delete')}
      </Button>
    </li>
  );
}
