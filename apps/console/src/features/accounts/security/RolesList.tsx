import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '../../../shared/api/queries.ts';
import { QueryState } from '../../../shared/ui/QueryState.tsx';

/** The organizations of the user, and what the user is there. */
export function RolesList() {
  const { t } = useTranslation(['security', 'shared']);
  const query = useQuery(organizationsQuery);
  const { data } = query;
  if (!data) return <QueryState query={query} rows={2} />;
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
