import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { AddSshKeyDialog, SshKeyRow } from '../../accounts/index.ts';
import { type AccountName, serviceKeysQuery, useAddServiceKey, useDeleteServiceKey } from './queries.ts';
import classes from './services.module.css';

interface Props extends AccountName {
  name: string;
  /** Why the user cannot change them. */
  reason: string | undefined;
}

/** The keys by which a program logs in to the jump host as the account. */
export function ServiceKeys({ name, reason, ...account }: Props) {
  const { t } = useTranslation('services');
  const { data: keys = [] } = useQuery(serviceKeysQuery(account));
  const add = useAddServiceKey(account);
  const remove = useDeleteServiceKey(account);
  const [isAdding, adding] = useDisclosure();
  return (
    <Section
      title={t('keys')}
      description={t('keysText', { name })}
      actions={
        <DisabledReason reason={reason}>
          <Button variant="default" size="xs" onClick={adding.open}>
            {t('addKey')}
          </Button>
        </DisabledReason>
      }
    >
      {keys.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noKeys')}
        </Text>
      ) : (
        <ul className={classes.list} aria-label={t('keys')}>
          {keys.map((key) => (
            <SshKeyRow
              key={key.id}
              sshKey={key}
              onDelete={() =>
                remove.mutate(key.id, {
                  onSuccess: () =>
                    showToast({ severity: 'success', summary: t('keyDeleted'), details: key.name }),
                })
              }
            />
          ))}
        </ul>
      )}
      <AddSshKeyDialog add={add} opened={isAdding} onClose={adding.close} />
    </Section>
  );
}
