import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Controller, type CreatedGuestLink, isAllowed } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import list from '../../../shared/ui/item-list.module.css';
import { Section } from '../../../shared/ui/Section.tsx';
import { ShownOnceDialog } from '../../../shared/ui/ShownOnceDialog.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { endpointsQuery } from '../../endpoints/index.ts';
import { groupPin } from '../group-pin.ts';
import { guestLinksQuery, useEndGuest } from '../queries.ts';
import { GuestRow } from './GuestRow.tsx';
import { ShareDialog } from './ShareDialog.tsx';

type Owned = Pick<Controller, 'serialNumber' | 'organization' | 'userRole'>;

/** With whom one service of the controller is shared; for those who may share it. */
export function GuestsSetting({ controller }: { controller: Owned }) {
  return isAllowed(controller.userRole, 'guests.manage') ? <Guests controller={controller} /> : null;
}

function Guests({ controller: { serialNumber, organization } }: { controller: Owned }) {
  const { t } = useTranslation(['guests', 'shared']);
  const { data: links, error, refetch } = useQuery(guestLinksQuery(serialNumber));
  const { data: endpoints } = useQuery(endpointsQuery(serialNumber));
  const { data: own } = useQuery(organizationQuery(organization.id));
  const [isSharing, sharing] = useDisclosure();
  const [made, setMade] = useState<CreatedGuestLink>();
  const ending = useEndGuest(serialNumber);
  const isOff = own?.guestsAllowed === false || own?.totpRequired === true;
  const isReserved = (service: string) =>
    endpoints?.find(({ port }) => String(port) === service)?.isReserved === true;
  const end = (id: string, name: string) =>
    ending.mutate(id, {
      onSuccess: () => showToast({ severity: 'success', summary: t('ended'), details: name }),
    });
  return (
    <Section title={t('title')} description={t('text')}>
      <Stack gap="sm" align="flex-start">
        {!links && error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!links && !error && <SkeletonRows rows={1} height={44} />}
        {links?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
        )}
        {links && links.length > 0 && (
          <ul className={list.list} aria-label={t('title')}>
            {links.map((link) => (
              <GuestRow
                key={link.id}
                link={link}
                isReserved={isReserved(link.service)}
                isPending={ending.isPending}
                onEnd={() => end(link.id, link.name)}
              />
            ))}
          </ul>
        )}
        <DisabledReason reason={isOff ? t('off') : undefined}>
          <Button variant="default" onClick={sharing.open}>
            {t('share')}
          </Button>
        </DisabledReason>
      </Stack>
      <ShareDialog
        serialNumber={serialNumber}
        opened={isSharing}
        onClose={sharing.close}
        onMade={(link) => {
          sharing.close();
          setMade(link);
        }}
      />
      <ShownOnceDialog
        secret={made?.pin}
        title={t('made.title')}
        text={t('made.text')}
        copies={[
          { label: t('made.link'), text: made?.url ?? '' },
          { label: t('made.pin'), text: groupPin(made?.pin ?? '') },
        ]}
        closeLabel={t('made.done')}
        size={560}
        onClose={() => setMade(undefined)}
      />
    </Section>
  );
}
