import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { IconLogin2 } from '../../shared/icons/IconLogin2.ts';
import { ItemListSection } from '../../shared/ui/ItemListSection.tsx';
import { identitiesQuery, useDeleteIdentity } from './queries.ts';

/** The logins at identity providers that are linked to the account; to who has none nothing is said of them. */
export function IdentitiesSection() {
  const { t } = useTranslation('signIn');
  const { formatDate } = useFormat();
  const query = useQuery(identitiesQuery);
  const remove = useDeleteIdentity();
  if (!query.error && !query.data?.length) return null;
  return (
    <ItemListSection
      title={t('identities.title')}
      description={t('identities.text')}
      query={query}
      item={({ id, issuer, email, organization, createdAt, checkedAt }) => ({
        key: id,
        icon: <IconLogin2 size={20} stroke={1.5} />,
        name: email ?? issuer,
        details: [
          [
            issuer,
            organization
              ? t('identities.organization', { name: organization.name })
              : t('identities.installation'),
            t('identities.linked', { time: formatDate(createdAt) }),
            t('identities.checked', { time: formatDate(checkedAt) }),
          ],
        ],
        removal: {
          label: t('identities.delete'),
          name: t('identities.deleteOne', { name: email ?? issuer }),
          question: { title: t('identities.deleteTitle'), text: t('identities.deleteText', { issuer }) },
          run: () => remove.mutateAsync(id),
          done: t('identities.deleted'),
        },
      })}
    />
  );
}
