import { Badge } from '@mantine/core';
import type { Session } from '@pult/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconDeviceLaptop } from '../../../shared/icons/IconDeviceLaptop.ts';
import { IconDeviceMobile } from '../../../shared/icons/IconDeviceMobile.ts';
import { IconTerminal2 } from '../../../shared/icons/IconTerminal2.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
import { sessionsQuery, useTerminateSessions } from './queries.ts';

const icons = { phone: IconDeviceMobile, desktop: IconDeviceLaptop, program: IconTerminal2 };

/** Letters of what a device that is not known says of itself. */
const shownAgent = 60;

/** This device first, then the one that was active last. */
function compareSessions(one: Session, other: Session): number {
  if (one.isCurrent !== other.isCurrent) return one.isCurrent ? -1 : 1;
  return other.lastUsedAt.localeCompare(one.lastUsedAt);
}

export function SessionsSection() {
  const { t } = useTranslation('security');
  const { formatDate } = useFormat();
  const query = useQuery({
    ...sessionsQuery,
    select: (sessions) => sessions.toSorted(compareSessions),
  });
  const terminate = useTerminateSessions();
  const client = useQueryClient();
  /** As they are now, not when the question was asked. */
  const listOthers = () =>
    (client.getQueryData(sessionsQuery.queryKey) ?? [])
      .filter(({ isCurrent }) => !isCurrent)
      .toSorted(compareSessions);
  const nameOf = ({ device: { browser, system }, userAgent }: Session) =>
    browser !== null && system !== null
      ? t('sessions.on', { browser, system })
      : // A program says what it is in words of its own.
        (browser ?? system ?? (userAgent.slice(0, shownAgent) || t('sessions.unknownDevice')));
  const endOthers = () =>
    confirm({
      title: t('sessions.endOthersTitle'),
      text: t('sessions.endOthersText'),
      action: t('sessions.endOthers'),
      stays: true,
      run: async () => {
        await terminate.mutateAsync(listOthers().map(({ id }) => id));
        showToast({ severity: 'success', summary: t('sessions.othersEnded') });
      },
    });
  return (
    <ItemListSection
      id="sessions"
      title={t('sessions.title')}
      query={query}
      add={listOthers().length > 1 && { label: t('sessions.endOthers'), onClick: endOthers }}
      item={(session) => {
        const { id, device, userAgent, address, lastUsedAt, createdAt, isCurrent } = session;
        const Icon = icons[device.form];
        const name = nameOf(session);
        return {
          key: id,
          icon: <Icon size={20} stroke={1.5} />,
          name: <span title={userAgent}>{name}</span>,
          note: isCurrent && (
            <Badge variant="light" size="sm" tt="none">
              {t('sessions.current')}
            </Badge>
          ),
          details: [
            [
              address,
              t('sessions.lastUsed', { time: formatDate(lastUsedAt) }),
              t('sessions.created', { time: formatDate(createdAt) }),
            ],
          ],
          removal: isCurrent
            ? undefined
            : {
                label: t('sessions.end'),
                name: t('sessions.endOne', { device: name }),
                run: () => terminate.mutateAsync([id]),
                done: t('sessions.ended'),
              },
        };
      }}
    />
  );
}
