import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAdminReason } from '../../../shared/api/permissions.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconBellRinging } from '../../../shared/icons/IconBellRinging.ts';
import { IconPlus } from '../../../shared/icons/IconPlus.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { WebhookSecretDialog } from '../channels/WebhookSecretDialog.tsx';
import { alertRulesQuery } from '../queries.ts';
import classes from './alerts.module.css';
import { RuleDialog } from './RuleDialog.tsx';
import { RulesTable } from './RulesTable.tsx';

/** The rules, and the way to a new one. */
export function RulesSection({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('alerts');
  const { formatNumber } = useFormat();
  const { data: rules, error, refetch } = useQuery(alertRulesQuery(organizationId));
  const [isCreating, dialog] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const roleReason = useAdminReason(organizationId, 'alerts.manage');
  const isFull = (rules?.length ?? 0) >= limits.alertRulesPerOrganization;
  const limit = formatNumber(limits.alertRulesPerOrganization);

  const add = (
    <DisabledReason reason={roleReason ?? (isFull ? t('rules.limit', { limit }) : undefined)}>
      <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        {t('rules.add')}
      </Button>
    </DisabledReason>
  );
  const content = () => {
    if (error && !rules) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!rules) return <SkeletonRows rows={3} height={28} />;
    if (rules.length === 0) {
      return (
        <EmptyState icon={<IconBellRinging size={32} stroke={1.5} />} title={t('rules.empty')} action={add}>
          {t('rules.emptyHint')}
        </EmptyState>
      );
    }
    return (
      <RulesTable organizationId={organizationId} rules={rules} reason={roleReason} onSecret={setSecret} />
    );
  };
  return (
    <section aria-label={t('rules.title')} className={classes.part}>
      <header className={classes.header}>
        <div>
          <h2 className={classes.title}>{t('rules.title')}</h2>
          <p className={classes.hint}>{t('rules.hint')}</p>
        </div>
        {rules && rules.length > 0 ? add : null}
      </header>
      {content()}
      <RuleDialog
        opened={isCreating}
        organizationId={organizationId}
        rules={rules ?? []}
        onClose={dialog.close}
        onSecret={setSecret}
      />
      <WebhookSecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </section>
  );
}
