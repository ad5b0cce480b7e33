import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { CreatedTokenDialog, CreateTokenDialog, TokenRow } from '../../accounts/index.ts';
import {
  type AccountName,
  serviceTokensQuery,
  useCreateServiceToken,
  useDeleteServiceToken,
} from './queries.ts';
import classes from './services.module.css';

interface Props extends AccountName {
  /** Why the user cannot change them. */
  reason: string | undefined;
}

/** The tokens by which a program acts as the account. */
export function ServiceTokens({ reason, ...account }: Props) {
  const { t } = useTranslation('services');
  const { data: tokens = [] } = useQuery(serviceTokensQuery(account));
  const create = useCreateServiceToken(account);
  const remove = useDeleteServiceToken(account);
  const [isCreating, creating] = useDisclosure();
  const [made, setMade] = useState<string>();
  return (
    <Section
      title={t('tokens')}
      actions={
        <DisabledReason reason={reason}>
          <Button variant="default" size="xs" onClick={creating.open}>
            {t('createToken')}
          </Button>
        </DisabledReason>
      }
    >
      {tokens.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noTokens')}
        </Text>
      ) : (
        <ul className={classes.list} aria-label={t('tokens')}>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onDelete={() =>
                remove.mutate(token.id, {
                  onSuccess: () =>
                    showToast({ severity: 'success', summary: t('tokenDeleted'), details: token.name }),
                })
              }
            />
          ))}
        </ul>
      )}
      <CreateTokenDialog
        create={create}
        opened={isCreating}
        onClose={creating.close}
        onCreated={(token) => {
          creating.close();
          setMade(token);
        }}
      />
      <CreatedTokenDialog token={made} onClose={() => setMade(undefined)} />
    </Section>
  );
}
