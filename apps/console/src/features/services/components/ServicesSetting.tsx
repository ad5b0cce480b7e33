import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Controller, limits, type Service } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAllowed } from '../../../shared/api/permissions.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { servicesQuery, useDeleteService } from '../queries.ts';
import { ServiceDialog } from './ServiceDialog.tsx';
import { ServiceRow } from './ServiceRow.tsx';
import classes from './services.module.css';

type Owned = Pick<Controller, 'serialNumber' | 'organization'>;

/** The named web services of a controller: which there are, new ones, other names, and their end. */
export function ServicesSetting({ controller: { serialNumber, organization } }: { controller: Owned }) {
  const { t } = useTranslation(['services', 'shared']);
  const { data: services, error, refetch } = useQuery(servicesQuery(serialNumber));
  const remove = useDeleteService(serialNumber);
  const mayChange = useIsAllowed(organization.id, 'controllers.update');
  const [isEditing, editing] = useDisclosure();
  const [isRemoving, removing] = useDisclosure();
  /** Stays while its dialog fades. */
  const [chosen, setChosen] = useState<Service>();

  const reason = mayChange
    ? undefined
    : t('roleTooWeak', { ns: 'shared', role: t('role.member', { ns: 'shared' }) });
  const limit = limits.servicesPerController;
  const isFull = (services?.length ?? 0) >= limit;
  const edit = (service: Service | undefined) => {
    setChosen(service);
    editing.open();
  };
  const removeChosen = () => {
    if (!chosen) return;
    const onSuccess = () => showToast({ severity: 'success', summary: t('removed') });
    remove.mutate(chosen.port, { onSuccess, onSettled: removing.close });
  };
  return (
    <Section title={t('title')} description={t('text')}>
      <Stack gap="sm" align="flex-start">
        {!services && error && (
          <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
        )}
        {!services && !error && <SkeletonRows rows={1} height={44} />}
        {services?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
        )}
        {services && services.length > 0 && (
          <ul className={classes.list} aria-label={t('list')}>
            {services.map((service) => (
              <ServiceRow
                key={service.port}
                service={service}
                reason={reason}
                onEdit={() => edit(service)}
                onRemove={() => {
                  setChosen(service);
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
      <ServiceDialog
        opened={isEditing}
        serialNumber={serialNumber}
        service={chosen}
        onClose={editing.close}
      />
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
