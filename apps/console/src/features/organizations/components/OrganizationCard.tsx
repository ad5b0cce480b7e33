import { ActionIcon, Menu } from '@mantine/core';
import type { Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsClosed } from '../../../shared/api/closed-organizations.ts';
import { showBanner } from '../../../shared/banner/banner.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconDoorExit } from '../../../shared/icons/IconDoorExit.ts';
import { IconDotsVertical } from '../../../shared/icons/IconDotsVertical.ts';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { paths } from '../../../shared/paths.ts';
import { useAskToLeave } from '../leave.ts';
import { organizationCountQuery } from '../queries.ts';
import classes from './organizations.module.css';

interface Props {
  organization: Organization;
}

/** One organization; one that is closed to the user says why and leads to where that can be changed. */
export function OrganizationCard({ organization }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { id, name, userRole, isPartial } = organization;
  const isClosed = useIsClosed()(organization);
  /** Its own page says how to get in. */
  const { isSignInMissing = false } = organization;
  const askToLeave = useAskToLeave(organization);
  return (
    <div className={classes.card}>
      <div className={classes.head}>
        {isClosed && !isSignInMissing ? (
          <ClosedLink name={name} />
        ) : (
          <Link to={paths.controllers(id)} className={classes.name}>
            {name}
          </Link>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              className={classes.actions ?? ''}
              variant="subtle"
              color="gray"
              aria-label={t('cardActions', { name })}
            >
              <IconDotsVertical size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item color="red" leftSection={<IconDoorExit size={16} />} onClick={askToLeave}>
              {t('leave.button')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <span className={classes.cardRole}>
        {t(isPartial ? 'yourRoleInPart' : 'yourRole', { role: t(`role.${userRole}`, { ns: 'shared' }) })}
      </span>
      {isClosed ? (
        <span className={classes.closed}>
          <IconLock size={16} stroke={1.75} aria-hidden />
          {t(isSignInMissing ? 'closedSignIn' : 'closed')}
        </span>
      ) : (
        <CardFigures organizationId={id} />
      )}
    </div>
  );
}

function ClosedLink({ name }: { name: string }) {
  const { t } = useTranslation('organizations');
  const router = useRouter();
  const go = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    await router.navigate({ href: paths.security() });
    // After the navigation, which clears the banner.
    showBanner(t('closedBanner', { name }));
  };
  return (
    <Link to={paths.security()} className={classes.name} onClick={(event) => void go(event)}>
      {name}
    </Link>
  );
}

/** How many controllers, and how many of them are online. Keeps its height while it loads, so that nothing jumps. */
function CardFigures({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('organizations');
  const { formatNumber } = useFormat();
  const { data } = useQuery(organizationCountQuery(organizationId));
  return (
    <span className={classes.counts}>
      {data === undefined ? '\u00a0' : null}
      {data?.count === 0 ? t('noControllers') : null}
      {data && data.count > 0 ? (
        <>
          <span>{t('controllers', { count: data.count, formatted: formatNumber(data.count) })}</span>
          <span className={classes.online}>{t('online', { formatted: formatNumber(data.countOnline) })}</span>
        </>
      ) : null}
    </span>
  );
}
