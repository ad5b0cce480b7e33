import { useDisclosure } from '@mantine/hooks';
import { type Controller, isAllowed, limits, type NamedEndpoint } from '@pult/contract';
import { connectionKindTable } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconPencil } from '../../../shared/icons/IconPencil.ts';
import { IconTrash } from '../../../shared/icons/IconTrash.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { endpointsQuery, useDeleteEndpoint } from './queries.ts';

type Owned = Pick<Controller, 'serialNumber' | 'userRole' | 'connectionKind'>;

/** The named web endpoints of a controller: which there are, new ones, other names, and their end. */
export function EndpointsSetting({ controller }: { controller: Owned }) {
  const { serialNumber, userRole, connectionKind } = controller;
  const { t } = useTranslation(['endpoints', 'shared']);
  const query = useQuery(endpointsQuery(serialNumber));
  const removal = useDeleteEndpoint(serialNumber);
  const [isEditing, editing] = useDisclosure();
  /** Stays while its dialog fades. */
  const [chosen, setChosen] = useState<NamedEndpoint>();

  const reason = isAllowed(userRole, 'controllers.update')
    ? undefined
    : t('roleTooWeak.member', { ns: 'shared' });
  const reservedReason = ({ port, isReserved }: NamedEndpoint) =>
    isReserved && !isAllowed(userRole, 'tunnels.forward') ? t('reservedReason', { port }) : undefined;
  const limit = limits.endpointsPerController;
  const isFull = (query.data?.length ?? 0) >= limit;
  const edit = (endpoint: NamedEndpoint | undefined) => {
    setChosen(endpoint);
    editing.open();
  };
  const remove = ({ name, port }: NamedEndpoint) =>
    confirm({
      title: t('removeTitle', { name }),
      text: t('removeText'),
      action: t('remove'),
      run: async () => {
        await removal.mutateAsync(port);
        showToast({ severity: 'success', summary: t('removed') });
      },
    });
  return (
    <ItemListSection
      title={t('title')}
      description={t(connectionKindTable[connectionKind].reachesAnyPort ? 'text' : 'textOfForwards')}
      label={t('list')}
      empty={t('none')}
      failure={t('loadFailed')}
      query={query}
      add={{
        label: t('add'),
        reason: reason ?? (isFull ? t('full', { limit }) : undefined),
        onClick: () => edit(undefined),
      }}
      item={(endpoint) => {
        const { name, port, scheme, hostHeader, isReserved, oldTls } = endpoint;
        const host = hostHeader === null ? [] : [`Host: ${hostHeader}`];
        return {
          key: port,
          name,
          details: [[[t('port', { port }), ...(scheme === 'https' ? ['HTTPS'] : []), ...host].join(', ')]],
          warnings: [isReserved && t('reserved'), oldTls && t('oldTls', { tls: oldTls })],
          actions: (
            <>
              <RowAction
                label={t('editOne', { name })}
                icon={<IconPencil size={18} stroke={1.75} />}
                reason={reason ?? reservedReason(endpoint)}
                onClick={() => edit(endpoint)}
              />
              <RowAction
                label={t('removeOne', { name })}
                icon={<IconTrash size={18} stroke={1.75} />}
                reason={reason}
                onClick={() => remove(endpoint)}
              />
            </>
          ),
        };
      }}
    >
      <EndpointDialog opened={isEditing} controller={controller} endpoint={chosen} onClose={editing.close} />
    </ItemListSection>
  );
}
