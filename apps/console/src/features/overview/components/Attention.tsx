import type { Attention as Line } from '@pult/contract';
import type { AttentionKind } from '@pult/contract/values';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconAlertTriangle } from '../../../shared/icons/IconAlertTriangle.ts';
import { IconBellRinging } from '../../../shared/icons/IconBellRinging.ts';
import { IconChevronRight } from '../../../shared/icons/IconChevronRight.ts';
import { IconCircleCheck } from '../../../shared/icons/IconCircleCheck.ts';
import { IconCircleX } from '../../../shared/icons/IconCircleX.ts';
import { IconDownload } from '../../../shared/icons/IconDownload.ts';
import { IconHelpCircle } from '../../../shared/icons/IconHelpCircle.ts';
import { IconPlugConnectedX } from '../../../shared/icons/IconPlugConnectedX.ts';
import { paths } from '../../../shared/paths.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './overview.module.css';

interface Props {
  organizationId: string;
  /** The most urgent first. */
  lines: readonly Line[];
}

const looks = {
  alert_offline: { Icon: IconBellRinging, urgency: 'high' },
  alert_traffic_100: { Icon: IconCircleX, urgency: 'high' },
  alert_traffic_80: { Icon: IconAlertTriangle, urgency: 'medium' },
  lost: { Icon: IconPlugConnectedX, urgency: 'medium' },
  update_failed: { Icon: IconAlertTriangle, urgency: 'medium' },
  agent_outdated: { Icon: IconDownload, urgency: 'low' },
  never: { Icon: IconHelpCircle, urgency: 'low' },
} as const satisfies Record<AttentionKind, object>;

/** What is wrong now: each line is the count of a list, and leads there. */
export function Attention({ organizationId, lines }: Props) {
  const { t } = useTranslation('overview');
  const { formatNumber } = useFormat();
  return (
    <Section title={t('attention.title')}>
      {lines.length === 0 && (
        <p className={classes.clear}>
          <IconCircleCheck size={18} stroke={1.6} aria-hidden />
          <span>
            {t('attention.none')}
            <span className={classes.muted}>{t('attention.noneHint')}</span>
          </span>
        </p>
      )}
      <ul className={classes.list}>
        {lines.map(({ kind, count, list, query, places }) => {
          const { Icon, urgency } = looks[kind];
          const to = list === 'alerts' ? paths.alerts(organizationId) : paths.controllers(organizationId);
          return (
            <li key={kind} className={classes.line}>
              <span className={classes.sign} data-urgency={urgency}>
                <Icon size={18} stroke={1.6} aria-hidden />
              </span>
              <Link to={to} search={query} className={classes.lineLink}>
                {t(`attention.kind.${kind}`)} <b>{formatNumber(count)}</b>
              </Link>
              <span className={classes.places}>
                {places.map(({ group, count: atPlace }) => {
                  const name = group?.name ?? t('ungrouped');
                  const text = t('place', { name, formatted: formatNumber(atPlace) });
                  const place = group ? { group_ids: group.id } : { ungrouped: 'true' };
                  // Alerts are not found by having no group.
                  if (!group && list === 'alerts') return <span key="none">{text}</span>;
                  return (
                    <Link
                      key={group?.id ?? 'none'}
                      to={to}
                      search={{ ...query, ...place }}
                      className={classes.place}
                    >
                      <bdi>{text}</bdi>
                    </Link>
                  );
                })}
              </span>
              <IconChevronRight size={16} stroke={1.6} className={classes.chevron} aria-hidden />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
