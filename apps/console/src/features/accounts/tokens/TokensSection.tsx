import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AccessToken } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import classes from '../components/accounts.module.css';
import { CreatedTokenDialog } from './CreatedTokenDialog.tsx';
import { CreateTokenDialog } from './CreateTokenDialog.tsx';
import { tokensQuery, useCreateToken, useDeleteToken } from './queries.ts';
import { TokenRow } from './TokenRow.tsx';

/** By what programs act for this account, and the way to a new one. */
export function TokensSection() {
  const { t } = useTranslation('tokens');
  const { data: tokens, error, refetch } = useQuery(tokensQuery);
  const [isCreating, creating] = useDisclosure();
  const [created, setCreated] = useState<string>();
  const [doomed, setDoomed] = useState<AccessToken>();
  const [isAsking, asking] = useDisclosure();
  const create = useCreateToken();
  const remove = useDeleteToken();

  const removeDoomed = () => {
    if (!doomed) return;
    const onSuccess = () => showToast({ severity: 'success', summary: t('deleted'), details: doomed.name });
    remove.mutate(doomed.id, { onSuccess, onSettled: asking.close });
  };
  return (
    <Section
      id="tokens"
      title={t('title')}
      actions={
        <Button variant="default" size="xs" onClick={creating.open}>
          {t('create')}
        </Button>
      }
    >
      <Stack gap="md">
        <Text size="sm" maw={560}>
          {t('text')}{' '}
          <Anchor component={Link} to={paths.device()} size="sm" underline="always">
            {t('byCode')}
          </Anchor>
        </Text>
        {error && !tokens && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !tokens && <SkeletonRows rows={1} height={56} />}
        {tokens?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
        )}
        {tokens && tokens.length > 0 && (
          <ul className={classes.sessions} aria-label={t('title')}>
            {tokens.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                onDelete={() => {
                  setDoomed(token);
                  asking.open();
                }}
              />
            ))}
          </ul>
        )}
      </Stack>
      <CreateTokenDialog
        create={create}
        opened={isCreating}
        onClose={creating.close}
        onCreated={(token) => {
          creating.close();
          setCreated(token);
        }}
      />
      <CreatedTokenDialog token={created} onClose={() => setCreated(undefined)} />
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
