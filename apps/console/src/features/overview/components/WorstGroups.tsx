import type { Overview } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import { Bars } from './Bars.tsx';
import classes from './overview.module.css';

interface Props {
  organizationId: string;
  groups: Overview['groups'];
  /** Of which the first are shown. */
  groupCount: number;
}

/** Where most is wrong: root groups, each with what is under it. */
export function WorstGroups({ organizationId, groups, groupCount }: Props) {
  const { t } = useTranslation('overview');
  const { formatNumber } = useFormat();
  // All of it is in one place, which the lines above count already.
  if (groupCount < 2) return null;
  const say = ({ count, countOnline, countOffline }: Props['groups'][number]) => {
    const figures = { offline: formatNumber(countOffline), total: formatNumber(count) };
    if (countOffline > 0) return t('groups.offline', figures);
    return countOnline === count ? t('groups.allOnline', figures) : t('groups.noneOffline', figures);
  };
  return (
    <Section
      title={t('groups.title')}
      actions={
        groupCount > groups.length && (
          <Link to={paths.controllers(organizationId)} className={classes.all}>
            {t('groups.all', { formatted: formatNumber(groupCount) })}
          </Link>
        )
      }
    >
      <Bars
        organizationId={organizationId}
        tone="bad"
        bars={groups.map((counts) => {
          const { group, count, countOffline } = counts;
          return {
            key: group?.id ?? 'none',
            name: group?.name ?? t('ungrouped'),
            figures: say(counts),
            share: countOffline / count,
            search: {
              ...(group ? { group_ids: group.id } : { ungrouped: 'true' }),
              ...(countOffline > 0 ? { status: 'offline' } : {}),
            },
          };
        })}
      />
    </Section>
  );
}
