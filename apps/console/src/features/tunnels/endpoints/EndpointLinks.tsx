import { Button, Text } from '@mantine/core';
import { isAllowed, type Role } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { IconExternalLink } from '../../../shared/icons/IconExternalLink.ts';
import { paths } from '../../../shared/paths.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { endpointsQuery } from './queries.ts';

/** A button for each named endpoint; nothing where there is none. `reason`: why none can be opened now. */
export function EndpointLinks({
  serialNumber,
  userRole,
  reason: reasonOfAll,
}: {
  serialNumber: string;
  userRole: Role;
  reason: string | undefined;
}) {
  const { t } = useTranslation('endpoints');
  // Their place on the settings tab tells of a failure.
  const { data } = useQuery({ ...endpointsQuery(serialNumber), meta: { isBackground: true } });
  const reasonOf = (port: number, isReserved: boolean) =>
    reasonOfAll ??
    (isReserved && !isAllowed(userRole, 'tunnels.forward') ? t('reservedReason', { port }) : undefined);
  return data?.map(({ port, name, isReserved }) => (
    <DisabledReason key={port} reason={reasonOf(port, isReserved)}>
      <Button
        component="a"
        href={paths.connect('http', serialNumber, { port: String(port) })}
        target="_blank"
        rel="noopener"
        variant="default"
        maw={240}
        title={reasonOf(port, isReserved) ? undefined : t('newTab', { name, port })}
        leftSection={<IconExternalLink size={16} />}
      >
        <Text component="bdi" inherit truncate>
          {name}
        </Text>
      </Button>
    </DisabledReason>
  ));
}
