import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Identity } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconLogin2 } from '../../../shared/icons/IconLogin2.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from '../components/accounts.module.css';
import { identitiesQuery, useDeleteIdentity } from './queries.ts';

/** The logins at identity providers that are linked to the account; to who has none nothing is said of them. */
export function IdentitiesSection() {
  const { t } = useTranslation('signIn');
  const { data: identities, error, refetch } = useQuery(identitiesQuery);
  const [doomed, setDoomed] = useState<Identity>();
  const [isAsking, asking] = useDisclosure();
  const remove = useDeleteIdentity();
  if (!error && !identities?.length) return null;

  const removeDoomed = () => {
    if (!doomed) return;
    const onSuccess = () => showToast({ severity: 'success', summary: t('identities.deleted') });
    remove.mutate(doomed.id, { onSuccess, onSettled: asking.close });
  };
  return (
    <Section title={t('identities.title')}>
      {identities ? (
        <Stack gap="md">
          <Text size="sm" maw={560}>
            {t('identities.text')}
          </Text>
          <ul className={classes.sessions} aria-label={t('identities.title')}>
            {identities.map((identity) => (
              <IdentityRow
                key={identity.id}
                identity={identity}
                onDelete={() => {
                  setDoomed(identity);
                  asking.open();
                }}
              />
            ))}
          </ul>
        </Stack>
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      <ConfirmDialog
        opened={isAsking}
        title={t('identities.deleteTitle')}
        confirmLabel={t('identities.delete')}
        isPending={remove.isPending}
        onConfirm={removeDoomed}
        onClose={asking.close}
      >
        {t('identities.deleteText', { issuer: doomed?.issuer ?? '' })}
      </ConfirmDialog>
    </Section>
  );
}

function IdentityRow({ identity, onDelete }: { identity: Identity; onDelete: () => void }) {
  const { t } = useTranslation('signIn');
  const { formatDate } = useFormat();
  const { issuer, email, organization, createdAt, checkedAt } = identity;
  return (
    <li className={classes.session}>
      <IconLogin2 size={20} stroke={1.5} className={classes.sessionIcon} aria-hidden />
      <div className={classes.sessionText}>
        <Text size="sm" fw={500} className={classes.lead ?? ''}>
          {email ?? issuer}
        </Text>
        <div className={classes.sessionDetails}>
          <span className={classes.issuer}>{issuer}</span>
          <span className={classes.issuer}>
            {organization
              ? t('identities.organization', { name: organization.name })
              : t('identities.installation')}
          </span>
          <time dateTime={createdAt}>{t('identities.linked', { time: formatDate(createdAt) })}</time>
          <time dateTime={checkedAt}>{t('identities.checked', { time: formatDate(checkedAt) })}</time>
        </div>
      </div>
      <Button
        className={classes.sessionEnd ?? ''}
        variant="default"
        size="xs"
        onClick={onDelete}
        aria-label={t('identities.deleteOne', { name: email ?? issuer })}
      >
        {t('identities.delete')}
      </Button>
    </li>
  );
}
