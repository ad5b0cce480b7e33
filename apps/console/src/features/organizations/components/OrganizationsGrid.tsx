import type { Organization } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconBuilding } from '../../../shared/icons/IconBuilding.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { type Asked, QueryState } from '../../../shared/ui/QueryState.tsx';
import { OrganizationCard } from './OrganizationCard.tsx';
import classes from './organizations.module.css';

interface Props {
  query: Asked<Organization[]>;
  /** The button that makes the first one. */
  create: ReactNode;
}

export function OrganizationsGrid({ query, create }: Props) {
  const { t } = useTranslation('organizations');
  return (
    <QueryState
      query={query}
      rows={3}
      height={96}
      empty={
        <EmptyState icon={<IconBuilding size={32} stroke={1.5} />} title={t('empty')} action={create}>
          {t('emptyHint')}
        </EmptyState>
      }
    >
      {(organizations) => (
        <ul className={classes.grid}>
          {organizations.map((organization) => (
            <li key={organization.id}>
              <OrganizationCard organization={organization} />
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  );
}
