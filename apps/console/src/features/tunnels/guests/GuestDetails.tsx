import { Button, Group, Stack } from '@mantine/core';
import type { GuestLink, OrganizationGuestLink } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { FactList } from '../../../shared/ui/FactList.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { useEndGuest } from './queries.ts';

/** What a guest reaches, in words. */
export function useGuestService(): (link: Pick<GuestLink, 'service' | 'isReadOnly'>) => string {
  const { t } = useTranslation('guests');
  return ({ service, isReadOnly }) => {
    const name = service === 'http' || service === 'ssh' ? t(`service.${service}`) : `:${service}`;
    return isReadOnly ? `${name}, ${t('readOnly')}` : name;
  };
}

interface Props {
  organizationId: string;
  link: OrganizationGuestLink;
  onEnded: () => void;
}

/** One link that was given to a guest, and its end. */
export function GuestDetails({ organizationId, link, onEnded }: Props) {
  const { t } = useTranslation('guests');
  const { formatDate } = useFormat();
  const serviceOf = useGuestService();
  const { id, name, controller, used, uses, expiresAt, lastUsedAt, createdBy } = link;
  const ending = useEndGuest(controller.serialNumber);
  const end = () =>
    ending.mutate(id, {
      onSuccess: () => {
        showToast({ severity: 'success', summary: t('ended'), details: name });
        onEnded();
      },
    });
  return (
    <Stack gap="lg">
      <FactList
        facts={[
          [t('facts.service'), serviceOf(link)],
          [
            t('facts.controller'),
            <span key="controller">
              <Link to={paths.controller(organizationId, controller.serialNumber)}>
                <Mono>{controller.serialNumber}</Mono>
              </Link>{' '}
              <bdi>{controller.description}</bdi>
            </span>,
          ],
          [t('facts.until'), formatDate(expiresAt)],
          [t('facts.used'), t('facts.usedOf', { used, uses })],
          [t('facts.lastUsed'), lastUsedAt !== null && formatDate(lastUsedAt)],
          [t('facts.by'), createdBy],
        ]}
      />
      <Group gap="xs">
        <Button
          variant="outline"
          color="red"
          loading={ending.isPending}
          aria-label={t('endOne', { name })}
          onClick={end}
        >
          {t('end')}
        </Button>
      </Group>
    </Stack>
  );
}
