import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '../../../shared/api/queries.ts';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';

/** The organizations of the user, and what the user is there. */
export function RolesList() {
  const { t } = useTranslation(['security', 'shared']);
  const { data, error, refetch } = useQuery(organizationsQuery);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={2} />;
  if (data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('account.noRoles')}
      </Text>
    );
  }
  return (
    <Stack gap="xs" maw={420}>
      {data.map((organization) => (
        <Group key={organization.id} justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm" truncate>
            {organization.name}
          </Text>
          <Text size="sm" c="dimmed">
            {t(`role.${organization.userRole}`, { ns: 'shared' })}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
