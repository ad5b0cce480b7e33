import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type AlertRule, limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAdminReason } from '../../../shared/api/permissions.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconBellOff } from '../../../shared/icons/IconBellOff.ts';
import { IconBellRinging } from '../../../shared/icons/IconBellRinging.ts';
import { IconPlus } from '../../../shared/icons/IconPlus.ts';
import { PlainTable } from '../../../shared/ui/DataTable.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { ShownOnceDialog } from '../../../shared/ui/ShownOnceDialog.tsx';
import { alertChannels } from '../channels/channels.ts';
import { alertRulesQuery } from '../queries.ts';
import { useDuration } from '../use-duration.ts';
import classes from './alerts.module.css';
import { RuleDialog } from './RuleDialog.tsx';
import { RuleMenu } from './RuleMenu.tsx';

/** The rules, and the way to a new one. */
export function RulesSection({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('alerts');
  const { formatNumber } = useFormat();
  const duration = useDuration();
  const query = useQuery(alertRulesQuery(organizationId));
  const rules = query.data ?? [];
  const [isCreating, dialog] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const roleReason = useAdminReason(organizationId, 'alerts.manage');
  const isFull = rules.length >= limits.alertRulesPerOrganization;
  const limit = formatNumber(limits.alertRulesPerOrganization);
  const channels = alertChannels.filter(({ isRare, isUsed }) => !isRare || rules.some(isUsed));
  const isSilent = (rule: AlertRule) => !alertChannels.some(({ isUsed }) => isUsed(rule));

  const add = (
    <DisabledReason reason={roleReason ?? (isFull ? t('rules.limit', { limit }) : undefined)}>
      <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        {t('rules.add')}
      </Button>
    </DisabledReason>
  );
  return (
    <section aria-label={t('rules.title')} className={classes.part}>
      <header className={classes.header}>
        <div>
          <h2 className={classes.title}>{t('rules.title')}</h2>
          <p className={classes.hint}>{t('rules.hint')}</p>
        </div>
        {rules.length > 0 && add}
      </header>
      <QueryState
        query={query}
        rows={3}
        height={28}
        empty={
          <EmptyState icon={<IconBellRinging size={32} stroke={1.5} />} title={t('rules.empty')} action={add}>
            {t('rules.emptyHint')}
          </EmptyState>
        }
      >
        {() => (
          <PlainTable
            className={classes.table}
            label={t('rules.table')}
            rows={rules}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'place',
                title: t('rules.place'),
                isHead: true,
                cell: ({ group }) => <bdi>{group?.name ?? t('rules.organization')}</bdi>,
              },
              {
                name: 'when',
                title: t('rules.when'),
                isPlain: true,
                cell: ({ enabled, minutes }) =>
                  enabled ? (
                    t('rules.after', { duration: duration(minutes) })
                  ) : (
                    <span className={classes.off}>
                      <IconBellOff size={16} stroke={1.75} aria-hidden />
                      {t('rules.off')}
                    </span>
                  ),
              },
              ...channels.map(({ name, title, Cell }) => ({
                name,
                title: t(title),
                cell: (rule: AlertRule) => rule.enabled && <Cell rule={rule} isSilent={isSilent(rule)} />,
              })),
              {
                name: 'menu',
                cell: (rule) => (
                  <RuleMenu
                    organizationId={organizationId}
                    rule={rule}
                    rules={rules}
                    reason={roleReason}
                    onSecret={setSecret}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryState>
      <RuleDialog
        opened={isCreating}
        organizationId={organizationId}
        rules={rules}
        onClose={dialog.close}
        onSecret={setSecret}
      />
      <ShownOnceDialog
        secret={secret}
        title={t('secret.title')}
        text={t('secret.text')}
        copies={[{ text: secret ?? '' }]}
        closeLabel={t('secret.done')}
        onClose={() => setSecret(undefined)}
      />
    </section>
  );
}
