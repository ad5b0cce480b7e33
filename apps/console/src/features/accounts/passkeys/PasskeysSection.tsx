import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Environments, User } from '@pult/contract';
import { limits } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconFingerprint } from '../../../shared/icons/IconFingerprint.ts';
import { ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
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
  const { formatDate } = useFormat();
  const uses = environments.PASSKEYS;
  const query = useQuery({ ...passkeysQuery, enabled: uses !== 'none' });
  const [isAdding, adding] = useDisclosure();
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
    return hasPasskeys() ? undefined : t('noBrowser');
  };
  const isFull = (query.data?.length ?? 0) >= limits.passkeysPerUser;
  return (
    <ItemListSection
      id="passkeys"
      title={t('title')}
      description={t(uses === 'login' ? 'textLogin' : 'text')}
      empty={t(user.totpEnabled ? 'none' : 'needsTotp')}
      query={query}
      add={!isFull && { label: t('add'), reason: reason(), onClick: adding.open }}
      item={({ id, name, isSynced, createdAt, lastUsedAt }) => ({
        key: id,
        icon: <IconFingerprint size={20} stroke={1.5} />,
        name,
        details: [
          [
            lastUsedAt ? t('lastUsed', { time: formatDate(lastUsedAt) }) : t('neverUsed'),
            t('addedAt', { time: formatDate(createdAt) }),
            isSynced && t('synced'),
          ],
        ],
        removal: {
          label: t('delete'),
          name: t('deleteOne', { name }),
          question: { title: t('deleteTitle', { name }), text: t('deleteText') },
          run: () => remove.mutateAsync(id),
          done: t('deleted'),
        },
      })}
    >
      <AddPasskeyDialog opened={isAdding} onClose={adding.close} />
    </ItemListSection>
  );
}
