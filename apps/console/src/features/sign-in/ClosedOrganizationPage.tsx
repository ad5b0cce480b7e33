import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { environmentsQuery, organizationsQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { IconLock } from '../../shared/icons/IconLock.ts';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { Page } from '../../shared/ui/Page.tsx';
import { QueryState } from '../../shared/ui/QueryState.tsx';
import { SkeletonRows } from '../../shared/ui/SkeletonRows.tsx';
import { checkProvider } from './arrivals.ts';
import { SignInButton } from './SignInButton.tsx';

interface Props {
  organizationId: string;
  /** What was asked for. */
  destination: string;
}

/** In place of the pages of an organization that lets in only who has signed in by its provider. */
export function ClosedOrganizationPage({ organizationId, destination }: Props) {
  const { t } = useTranslation('signIn');
  const { data: organizations } = useQuery(organizationsQuery);
  const name = organizations?.find(({ id }) => id === organizationId)?.name;
  return (
    <Page title={t('closed.title')} heading={<Title order={1}>{name}</Title>}>
      <WayIn organizationId={organizationId} destination={destination} />
    </Page>
  );
}

function WayIn({ organizationId, destination }: Props) {
  const { t } = useTranslation('signIn');
  const { data: environments } = useQuery(environmentsQuery);
  const query = useQuery({
    queryKey: queryKeys.signInProvider(organizationId),
    queryFn: () => checkProvider(organizationId),
  });
  const own = query.data;
  if (!own) return <QueryState query={query} rows={3} />;
  if (!environments) return <SkeletonRows rows={3} />;
  const shared = environments.SIGN_IN_PROVIDER;
  const way =
    own.kind === 'known'
      ? { provider: organizationId, name: own.name }
      : shared && { provider: 'installation', name: shared };
  return (
    <EmptyState
      icon={<IconLock size={32} stroke={1.5} />}
      title={t('closed.title')}
      action={way && <SignInButton {...way} returnTo={destination} isPrimary />}
    >
      {t(way ? 'closed.text' : 'closed.none')}
    </EmptyState>
  );
}
