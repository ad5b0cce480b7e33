import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ChosenRoles, isAllowedAtChosen } from '../../../shared/api/permissions.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import type { Chosen } from '../../groups/index.ts';
import { useRequestAgentUpdates } from '../queries.ts';

interface Props {
  chosen: Chosen;
  roles: ChosenRoles;
}

/** Updates the agents of the selected controllers, as far as they are older than the server's. */
export function UpdateAgents({ chosen, roles }: Props) {
  const { t } = useTranslation(['agentSelection', 'shared']);
  const { formatNumber } = useFormat();
  const request = useRequestAgentUpdates();
  const mayUpdate = isAllowedAtChosen(roles, 'agents.update');
  const tell = ({ count, skipped }: { count: number; skipped: number }) => {
    if (count === 0) return showToast({ severity: 'info', summary: t('nothing') });
    const details = skipped > 0 ? { details: t('skipped', { formatted: formatNumber(skipped) }) } : {};
    const summary = t('requested', { count, formatted: formatNumber(count) });
    showToast({ severity: 'success', summary, ...details });
  };
  return (
    <DisabledReason reason={mayUpdate ? undefined : t('roleTooWeak.member', { ns: 'shared' })}>
      <Button
        size="xs"
        variant="default"
        loading={request.isPending}
        onClick={() => request.mutate(chosen, { onSuccess: tell })}
      >
        {t('selected')}
      </Button>
    </DisabledReason>
  );
}
