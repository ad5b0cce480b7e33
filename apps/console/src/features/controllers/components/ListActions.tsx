import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconDownload } from '../../../shared/icons/IconDownload.ts';
import { IconPlus } from '../../../shared/icons/IconPlus.ts';
import { paths } from '../../../shared/paths.ts';
import { filterQuery, type ListSearch } from '../list-search.ts';
import { useExportControllers } from '../queries.ts';
import { ViewSwitch } from './ViewSwitch.tsx';

interface Props {
  organizationId: string;
  search: ListSearch;
  isNarrow: boolean;
}

/** What stands beside the title: on a phone as icons, on its line, so that the rows begin higher. */
export function ListActions({ organizationId, search, isNarrow }: Props) {
  const { t } = useTranslation('controllers');
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const download = useExportControllers(filterQuery(organizationId, search));
  const downloading = { loading: download.isPending, onClick: () => download.mutate() };
  return (
    <>
      <ViewSwitch organizationId={organizationId} search={search} />
      {isNarrow ? (
        <ActionIcon variant="default" size={36} aria-label={t('list.download')} {...downloading}>
          <IconDownload size={16} />
        </ActionIcon>
      ) : (
        <Button variant="default" leftSection={<IconDownload size={16} />} {...downloading}>
          {t('list.download')}
        </Button>
      )}
      {isPhone ? (
        <ActionIcon component={Link} to={paths.addController()} size={36} aria-label={t('list.add')}>
          <IconPlus size={18} />
        </ActionIcon>
      ) : (
        <Button component={Link} to={paths.addController()} leftSection={<IconPlus size={16} />}>
          {t('list.add')}
        </Button>
      )}
    </>
  );
}
