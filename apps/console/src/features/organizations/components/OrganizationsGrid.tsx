import type { Organization } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconBuilding } from '../../../shared/icons/IconBuilding.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { OrganizationCard } from './OrganizationCard.tsx';
import classes from './organizations.module.css';

interface Props {
  organizations: Organization[] | undefined;
  error: unknown;
  onRetry: () => void;
  /** The button that makes the first one. */
  create: ReactNode;
}

export function OrganizationsGrid({ organizations, error, onRetry, create }: Props) {
  const { t } = useTranslation('organizations');
  if (!organizations) {
    return error ? <ErrorState error={error} onRetry={onRetry} /> : <SkeletonRows rows={3} height={96} />;
  }
  if (organizations.length === 0) {
    return (
      <EmptyState icon={<IconBuilding size={32} stroke={1.5} />} title={t('empty')} action={create}>
        {t('emptyHint')}
      </EmptyState>
    );
  }
  return (
    <ul className={classes.grid}>
      {organizations.map((organization) => (
        <li key={organization.id}>
          <OrganizationCard organization={organization} />
        </li>
      ))}
    </ul>
  );
}
