import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { defineList } from '../../../shared/search/define-list.ts';
import { paging } from '../../../shared/search/search-parts.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { every } from '../queries.ts';
import classes from './installation.module.css';

const organizations = defineList('listInstallationOrganizations', queryKeys.installation.all, paging());

/** All organizations with what they have; their pages belong to their members. */
export function OrganizationsSection() {
  const { t } = useTranslation('installation');
  const { formatBytes, formatDate, formatNumber } = useFormat();
  const list = useSearchOf(organizations, { isPart: true });
  const query = useQuery({ ...organizations.query({}, list.search), refetchInterval: every(60_000) });
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
