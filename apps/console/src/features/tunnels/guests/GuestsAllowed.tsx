import { Switch } from '@mantine/core';
import type { Organization } from '@pult/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';

/** Whether services of the organization's controllers may be shared with guests. */
export function GuestsAllowed({ organization }: { organization: Organization }) {
  const { id, totpRequired, guestsAllowed = true } = organization;
  const { t } = useTranslation('guests');
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: (allowed: boolean) =>
      api('updateOrganization', { params: { organizationId: id }, body: { guestsAllowed: allowed } }),
    onSuccess: (_, allowed) =>
      showToast({ severity: 'success', summary: allowed ? t('setting.on') : t('setting.off') }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.organizations.detail(id) }),
  });
  return (
    <Switch
      label={t('setting.label')}
      description={totpRequired ? t('setting.totp') : t('setting.hint')}
      checked={guestsAllowed}
      disabled={update.isPending}
      onChange={(event) => update.mutate(event.currentTarget.checked)}
    />
  );
}
