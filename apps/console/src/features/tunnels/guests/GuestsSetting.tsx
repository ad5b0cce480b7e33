import { useDisclosure } from '@mantine/hooks';
import { type Controller, type CreatedGuestLink, isAllowed } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
import { ShownOnceDialog } from '../../../shared/ui/ShownOnceDialog.tsx';
import { endpointsQuery } from '../endpoints/queries.ts';
import { useGuestService } from './GuestDetails.tsx';
import { groupPin } from './group-pin.ts';
import { guestLinksQuery, useEndGuest } from './queries.ts';
import { ShareDialog } from './ShareDialog.tsx';

type Owned = Pick<Controller, 'serialNumber' | 'organization' | 'userRole'>;

/** With whom one service of the controller is shared; for those who may share it. */
export function GuestsSetting({ controller }: { controller: Owned }) {
  return isAllowed(controller.userRole, 'guests.manage') ? <Guests controller={controller} /> : null;
}

function Guests({ controller: { serialNumber, organization } }: { controller: Owned }) {
  const { t } = useTranslation(['guests', 'shared']);
  const { formatDate } = useFormat();
  const { data: endpoints } = useQuery(endpointsQuery(serialNumber));
  const { data: own } = useQuery(organizationQuery(organization.id));
  const [isSharing, sharing] = useDisclosure();
  const [made, setMade] = useState<CreatedGuestLink>();
  const ending = useEndGuest(serialNumber);
  const isOff = own?.guestsAllowed === false || own?.totpRequired === true;
  /** Its service is on a port that no guest reaches. */
  const isReserved = (service: string) =>
    endpoints?.find(({ port }) => String(port) === service)?.isReserved === true;
  const serviceOf = useGuestService();
  return (
    <ItemListSection
      title={t('title')}
      description={t('text')}
      empty={t('none')}
      query={useQuery(guestLinksQuery(serialNumber))}
      add={{ label: t('share'), reason: isOff ? t('off') : undefined, onClick: sharing.open }}
      item={({ id, name, service, isReadOnly, used, uses, expiresAt, lastUsedAt, createdBy }) => ({
        key: id,
        name,
        details: [
          [
            serviceOf({ service, isReadOnly }),
            t('until', { date: formatDate(expiresAt) }),
            t('used', { used, uses }),
            lastUsedAt !== null && t('lastUsed', { date: formatDate(lastUsedAt) }),
            createdBy !== null && t('by', { name: createdBy }),
          ],
        ],
        warnings: [isReserved(service) && t('reserved')],
        removal: {
          label: t('end'),
          name: t('endOne', { name }),
          run: () => ending.mutateAsync(id),
          done: t('ended'),
          details: name,
        },
      })}
    >
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
    </ItemListSection>
  );
}
