import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Controller, isAllowed, limits, type NamedEndpoint } from '@pult/contract';
import { connectionKindTable } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { endpointsQuery, useDeleteEndpoint } from '../queries.ts';
import { EndpointDialog } from './EndpointDialog.tsx';
import { EndpointRow } from './EndpointRow.tsx';
import classes from './endpoints.module.css';

type Owned = Pick<Controller, 'serialNumber' | 'userRole' | 'connectionKind'>;

/** The named web endpoints of a controller: which there are, new ones, other names, and their end. */
export function EndpointsSetting({ controller }: { controller: Owned }) {
  const { serialNumber, userRole, connectionKind } = controller;
  const { t } = useTranslation(['endpoints', 'shared']);
  const { data: endpoints, error, refetch } = useQuery(endpointsQuery(serialNumber));
  const remove = useDeleteEndpoint(serialNumber);
  const [isEditing, editing] = useDisclosure();
  const [isRemoving, removing] = useDisclosure();
  /** Stays while its dialog fades. */
  const [chosen, setChosen] = useState<NamedEndpoint>();

  const reason = isAllowed(userRole, 'controllers.update')
    ? undefined
    : t('roleTooWeak.member', { ns: 'shared' });
  const reservedReason = ({ port, isReserved }: NamedEndpoint) =>
    isReserved && !isAllowed(userRole, 'tunnels.forward') ? t('reservedReason', { port }) : undefined;
  const limit = limits.endpointsPerController;
  const isFull = (endpoints?.length ?? 0) >= limit;
  const edit = (endpoint: NamedEndpoint | undefined) => {
    setChosen(endpoint);
    editing.open();
  };
  const removeChosen = () => {
    if (!chosen) return;
    const onSuccess = () => showToast({ severity: 'success', summary: t('removed') });
    remove.mutate(chosen.port, { onSuccess, onSettled: removing.close });
  };
  return (
    <Section
      title={t('title')}
      description={connectionKindTable[connectionKind].reachesAnyPort ? t('text') : t('textOfForwards')}
    >
      <Stack gap="sm" align="flex-start">
        {!endpoints && error && (
          <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
        )}
        {!endpoints && !error && <SkeletonRows rows={1} height={44} />}
        {endpoints?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
        )}
        {endpoints && endpoints.length > 0 && (
          <ul className={classes.list} aria-label={t('list')}>
            {endpoints.map((endpoint) => (
              <EndpointRow
                key={endpoint.port}
                endpoint={endpoint}
                reasons={{ edit: reason ?? reservedReason(endpoint), remove: reason }}
                onEdit={() => edit(endpoint)}
                onRemove={() => {
                  setChosen(endpoint);
                  removing.open();
                }}
              />
            ))}
          </ul>
        )}
        <DisabledReason reason={reason ?? (isFull ? t('full', { limit }) : undefined)}>
          <Button variant="default" onClick={() => edit(undefined)}>
            {t('add')}
          </Button>
        </DisabledReason>
      </Stack>
      <EndpointDialog opened={isEditing} controller={controller} endpoint={chosen} onClose={editing.close} />
      <ConfirmDialog
        opened={isRemoving}
        title={t('removeTitle', { name: chosen?.name ?? '' })}
        confirmLabel={t('remove')}
        isPending={remove.isPending}
        onConfirm={removeChosen}
        onClose={removing.close}
      >
        {t('removeText')}
      </ConfirmDialog>
    </Section>
  );
}
