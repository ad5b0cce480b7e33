import { Badge, UnstyledButton } from '@mantine/core';
import { isAllowed, type Organization, type ShownPlace } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { PlainTable } from '../../shared/ui/DataTable.tsx';
import { PlaceName } from '../grants/index.ts';
import { TotpLabel } from '../organizations/index.ts';
import { useGuestService } from '../tunnels/index.ts';
import classes from './access.module.css';
import { type AccessEntry, endOf, strongestRole } from './entries.ts';

interface Props {
  organization: Organization;
  entries: readonly AccessEntry[];
  /** Of the user who looks. */
  userId: string;
  onOpen: (id: string) => void;
}

/** Places that a row names; the details have the others. */
const shownPlaces = 2;

/** A row for each who has access, or is about to. */
export function AccessTable({ organization, entries, userId, onOpen }: Props) {
  const { t } = useTranslation(['access', 'shared', 'grants']);
  const { formatDate } = useFormat();
  const serviceOf = useGuestService();
  const { id: organizationId, name, userRole } = organization;
  const whole: ShownPlace = { type: 'organization', id: organizationId, name, path: [] };
  const badge = (words: string) => (
    <Badge size="sm" variant="default" tt="none" fw={500}>
      {words}
    </Badge>
  );
  const placesOf = (entry: AccessEntry): ShownPlace[] => {
    if (entry.kind === 'invites') return [entry.invite.scope ?? whole];
    if (entry.kind === 'guests') {
      const { serialNumber, description } = entry.link.controller;
      const path = description === '' ? [] : [description];
      return [{ type: 'controller', id: serialNumber, name: serialNumber, path }];
    }
    const own = entry.grants.filter(({ id }) => id !== null).map(({ scope }) => scope);
    const given = entry.grants.filter(({ id }) => id === null).map(({ scope }) => scope);
    return entry.member ? [whole, ...own] : [...given, ...own];
  };
  const untilOf = (entry: AccessEntry) => {
    const end =
      entry.kind === 'invites'
        ? (entry.invite.until ?? null)
        : entry.kind === 'guests'
          ? entry.link.expiresAt
          : endOf(entry);
    return end === null ? t('endless', { ns: 'grants' }) : <time dateTime={end}>{formatDate(end)}</time>;
  };
  const roleOf = (entry: AccessEntry) => {
    if (entry.kind === 'guests') return serviceOf(entry.link);
    const role = entry.kind === 'invites' ? entry.invite.role : strongestRole(entry);
    return role === undefined ? t('noRights') : t(`roleName.${role}`, { ns: 'shared' });
  };
  const hasTotp =
    isAllowed(userRole, 'members.manage') && entries.some((entry) => entry.kind === 'people' && entry.member);
  return (
    <PlainTable
      label={t('title')}
      rows={entries}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      columns={[
        {
          name: 'person',
          title: t('person'),
          isHead: true,
          cell: (entry) => (
            <span className={classes.person}>
              <UnstyledButton className={classes.open} onClick={() => onOpen(entry.id)}>
                <bdi>{entry.name}</bdi>
              </UnstyledButton>
              {entry.id === userId && badge(t('you'))}
              {entry.kind !== 'people' && badge(t(`mark.${entry.kind}`))}
              {'grants' in entry && entry.grants.some(({ isUnbacked }) => isUnbacked) && (
                <span className={classes.unbacked}>{t('unbacked', { ns: 'grants' })}</span>
              )}
            </span>
          ),
        },
        { name: 'role', title: t('role'), cell: roleOf },
        {
          name: 'place',
          title: t('place'),
          cell: (entry) => {
            const places = placesOf(entry);
            const rest = places.length - shownPlaces;
            return (
              <span className={classes.places}>
                {places.slice(0, shownPlaces).map((place) => (
                  <PlaceName
                    key={`${place.type} ${place.id}`}
                    organizationId={organizationId}
                    place={place}
                  />
                ))}
                {rest > 0 && <span className={classes.more}>{t('morePlaces', { count: rest })}</span>}
              </span>
            );
          },
        },
        { name: 'until', title: t('until'), cell: untilOf },
        hasTotp && {
          name: 'totp',
          title: t('totp'),
          cell: (entry) =>
            entry.kind === 'people' && entry.member && <TotpLabel isOn={entry.member.totpEnabled === true} />,
        },
      ]}
    />
  );
}
