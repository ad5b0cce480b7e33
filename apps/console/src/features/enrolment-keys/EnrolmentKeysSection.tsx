import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { ItemListSection } from '../../shared/ui/ItemListSection.tsx';
import { ShownOnceDialog } from '../../shared/ui/ShownOnceDialog.tsx';
import { agentCommand, LocalAddress, useDeviceOrigin } from '../controllers/index.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { enrolmentKeysQuery, useRevokeEnrolmentKey } from './queries.ts';

/** The keys by which devices add themselves, and the way to a new one; for admins. */
export function EnrolmentKeysSection({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('enrolmentKeys');
  const { formatDate, formatNumber } = useFormat();
  const query = useQuery(enrolmentKeysQuery(organizationId));
  const [isCreating, creating] = useDisclosure();
  const [created, setCreated] = useState<string>();
  const revocation = useRevokeEnrolmentKey(organizationId);
  const limit = limits.enrolmentKeysPerOrganization;
  const isFull = (query.data?.filter(({ state }) => state === 'active').length ?? 0) >= limit;
  return (
    <ItemListSection
      id="enrolment-keys"
      title={t('title')}
      description={t('hint')}
      empty={t('none')}
      query={query}
      add={{
        label: t('create'),
        reason: isFull ? t('limit', { limit: formatNumber(limit) }) : undefined,
        onClick: creating.open,
      }}
      item={({ id, name, state, lastUsedAt, createdBy, ...key }) => ({
        key: id,
        name,
        note: (
          <Text span size="xs" c={state === 'active' ? 'var(--pult-online)' : 'dimmed'}>
            {t(`state.${state}`)}
          </Text>
        ),
        code: `${key.prefix}…`,
        details: [
          [
            t('uses', { uses: formatNumber(key.uses), max: formatNumber(key.maxUses) }),
            t('until', { date: formatDate(key.expiresAt, 'date') }),
            key.group ? t('group', { name: key.group.name }) : t('noGroup'),
          ],
          [
            lastUsedAt === null ? t('neverUsed') : t('lastUsed', { date: formatDate(lastUsedAt) }),
            t('created', { date: formatDate(key.createdAt, 'date') }),
            createdBy !== null && t('createdBy', { email: createdBy }),
          ],
        ],
        removal:
          state === 'revoked'
            ? undefined
            : {
                label: t('revoke'),
                name: t('revokeOne', { name }),
                question: { title: t('revokeTitle', { name }), text: t('revokeText') },
                run: () => revocation.mutateAsync(id),
                done: t('revoked'),
                details: name,
              },
      })}
    >
      <CreateKeyDialog
        organizationId={organizationId}
        opened={isCreating}
        onClose={creating.close}
        onCreated={({ key }) => {
          creating.close();
          setCreated(key);
        }}
      />
      <CreatedKey secret={created} onClose={() => setCreated(undefined)} />
    </ItemListSection>
  );
}

/** The key and what to do with it. */
function CreatedKey({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  const { t } = useTranslation('enrolmentKeys');
  const { origin } = useDeviceOrigin();
  return (
    <ShownOnceDialog
      secret={secret}
      title={t('made.title')}
      text={t('made.text')}
      copies={[
        { label: t('made.key'), text: secret ?? '' },
        { label: t('made.command'), text: agentCommand(origin, secret ?? ''), hint: t('made.commandHint') },
      ]}
      notice={<LocalAddress />}
      closeLabel={t('made.done')}
      size={520}
      onClose={onClose}
    />
  );
}
