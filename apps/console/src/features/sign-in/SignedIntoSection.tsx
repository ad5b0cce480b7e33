import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '../../shared/api/queries.ts';
import { Section } from '../../shared/ui/Section.tsx';

interface Props {
  /** The one that the session is good for. */
  organizationId: string;
  isPending: boolean;
  onLogOut: () => void;
}

/** In place of all that the account's own login alone may change. */
export function SignedIntoSection({ organizationId, isPending, onLogOut }: Props) {
  const { t } = useTranslation('signIn');
  const { data: organizations } = useQuery(organizationsQuery);
  const name = organizations?.find(({ id }) => id === organizationId)?.name;
  return (
    <Section
      title={t('signedInto.title')}
      description={
        <>
          {name === undefined ? t('signedInto.textUnnamed') : t('signedInto.text', { name })}{' '}
          {t('signedInto.hint')}
        </>
      }
    >
      <Button variant="default" loading={isPending} onClick={onLogOut}>
        {t('signedInto.logOut')}
      </Button>
    </Section>
  );
}
