import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { installationOrganizationsQuery, organizationsSearch } from '../queries.ts';
import classes from './installation.module.css';

/** All organizations with what they have; their pages belong to their members. */
export function OrganizationsSection() {
  const { t } = useTranslation('installation');
  const { formatBytes, formatDate, formatNumber } = useFormat();
  const list = useSearchOf(organizationsSearch, { isPart: true });
  const query = useQuery(installationOrganizationsQuery(list.search));
  const figure = (
    name: 'controllers' | 'members' | 'withoutTotp' | 'archives' | 'measurements' | 'created',
  ) => ({
    name,
    title: t(`organizations.${name}`),
    look: 'figure',
  });
  return (
    <section className={classes.organizations} aria-label={t('organizations.title')}>
      <Title order={2} size="h3">
        {t('organizations.title')}
      </Title>
      <DataTable
        label={t('organizations.title')}
        query={query}
        failure={t('organizations.failed')}
        outline={4}
        empty={{ title: t('organizations.empty') }}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { name: 'name', title: t('organizations.name'), isHead: true, cell: ({ name }) => name },
          { ...figure('controllers'), cell: ({ controllers }) => formatNumber(controllers) },
          { ...figure('members'), cell: ({ members }) => formatNumber(members) },
          { ...figure('withoutTotp'), cell: ({ membersWithoutTotp }) => formatNumber(membersWithoutTotp) },
          { ...figure('archives'), cell: ({ archiveBytes }) => formatBytes(archiveBytes) },
          {
            ...figure('measurements'),
            cell: ({ measurementBytes }) =>
              measurementBytes === null ? t('organizations.unmeasured') : formatBytes(measurementBytes),
          },
          { ...figure('created'), cell: ({ createdAt }) => formatDate(createdAt, 'date') },
        ]}
      />
    </section>
  );
}
