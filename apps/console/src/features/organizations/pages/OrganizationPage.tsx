import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { FleetFigures } from '../components/FleetFigures.tsx';

interface Props {
  organizationId: string;
}

/** An organization at a glance. */
export function OrganizationPage({ organizationId }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { data } = useQuery(organizationQuery(organizationId));
  if (!data) return null; // loaded before the page is shown
  const role = t(`role.${data.userRole}`, { ns: 'shared' });
  return (
    <Page title={data.name} eyebrow={t('yourRole', { role })}>
      <FleetFigures organizationId={organizationId} />
    </Page>
  );
}
