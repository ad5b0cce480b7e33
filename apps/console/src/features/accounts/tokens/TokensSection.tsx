import { Anchor } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AccessToken } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconKey } from '../../../shared/icons/IconKey.ts';
import { paths } from '../../../shared/paths.ts';
import { type ItemListProps, ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
import { ShownOnceDialog } from '../../../shared/ui/ShownOnceDialog.tsx';
import { type CreateToken, CreateTokenDialog } from './CreateTokenDialog.tsx';
import { tokensQuery, useCreateToken, useDeleteToken } from './queries.ts';

interface ListProps extends Omit<ItemListProps<AccessToken>, 'add' | 'item' | 'children'> {
  create: CreateToken;
  remove: { mutateAsync: (tokenId: string) => Promise<unknown> };
  /** Why the user cannot change them. */
  reason?: string | undefined;
}

/** The tokens by which programs act for somebody, or as a service account. */
export function TokenList({ create, remove, reason, ...section }: ListProps) {
  const { t } = useTranslation('tokens');
  const { formatDate } = useFormat();
  const [isCreating, creating] = useDisclosure();
  const [created, setCreated] = useState<string>();
  const endOf = ({ expiresAt, isExpired }: AccessToken) => {
    if (expiresAt === null) return t('endless');
    return t(isExpired ? 'expired' : 'until', { date: formatDate(expiresAt, 'date') });
  };
  const describeUse = ({ lastUsedAt, lastUsedFrom }: AccessToken) =>
    lastUsedAt === null
      ? t('neverUsed')
      : t('lastUsed', { date: formatDate(lastUsedAt), address: lastUsedFrom ?? '' });
  // As it can be run: a variable that nobody has set would be refused.
  const example = `curl -H "authorization: Bearer ${created ?? ''}" ${window.location.origin}/api/v1/organizations/`;
  return (
    <ItemListSection
      {...section}
      add={{ label: t('create'), reason, onClick: creating.open }}
      item={(token) => ({
        key: token.id,
        icon: <IconKey size={20} stroke={1.5} />,
        name: token.name,
        code: `${token.prefix}…`,
        details: [
          [
            <span key="scopes" title={token.scopes.join(', ')}>
              {t('scopes', { count: token.scopes.length })}
            </span>,
            endOf(token),
          ],
          [describeUse(token), t('created', { date: formatDate(token.createdAt, 'date') })],
          [token.networks.length > 0 && t('networks', { networks: token.networks.join(', ') })],
        ],
        removal: {
          label: t('delete'),
          name: t('deleteOne', { name: token.name }),
          question: { title: t('deleteTitle', { name: token.name }), text: t('deleteText') },
          run: () => remove.mutateAsync(token.id),
          done: t('deleted'),
          details: token.name,
          reason,
        },
      })}
    >
      <CreateTokenDialog
        create={create}
        opened={isCreating}
        onClose={creating.close}
        onCreated={(token) => {
          creating.close();
          setCreated(token);
        }}
      />
      <ShownOnceDialog
        secret={created}
        title={t('made.title')}
        text={t('made.text')}
        copies={[
          { label: t('made.token'), text: created ?? '' },
          { label: t('made.example'), text: example },
        ]}
        closeLabel={t('made.done')}
        size={560}
        onClose={() => setCreated(undefined)}
      />
    </ItemListSection>
  );
}

/** One's own. */
export function TokensSection() {
  const { t } = useTranslation('tokens');
  const byCode = (
    <Anchor component={Link} to={paths.device()} inherit underline="always">
      {t('byCode')}
    </Anchor>
  );
  return (
    <TokenList
      id="tokens"
      title={t('title')}
      description={
        <>
          {t('text')} {byCode}
        </>
      }
      empty={t('none')}
      query={useQuery(tokensQuery)}
      create={useCreateToken()}
      remove={useDeleteToken()}
    />
  );
}
