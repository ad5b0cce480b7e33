import { Button, SegmentedControl } from '@mantine/core';
import { ApiError, isAllowed, limits, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery, organizationQuery } from '../../shared/api/queries.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { IconLock } from '../../shared/icons/IconLock.ts';
import { IconLockPlus } from '../../shared/icons/IconLockPlus.ts';
import { type AccessKind, accessKinds, newAccess } from '../../shared/paths.ts';
import { defineSearch } from '../../shared/search/define-search.ts';
import { oneOf, text } from '../../shared/search/search-parts.ts';
import { useSearchOf } from '../../shared/search/use-search-of.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../shared/ui/ErrorState.tsx';
import { Page } from '../../shared/ui/Page.tsx';
import { SearchField } from '../../shared/ui/SearchField.tsx';
import { SkeletonRows } from '../../shared/ui/SkeletonRows.tsx';
import { GiveAccessDialog, grantsQuery, type KnownSubject, type NewAccess } from '../grants/index.ts';
import { type InviteLink, InviteLinkDialog } from '../organizations/index.ts';
import { CreateServiceDialog, ServiceDetails } from '../service-accounts/index.ts';
import { AccessDrawer } from './AccessDrawer.tsx';
import { AccessTable } from './AccessTable.tsx';
import classes from './access.module.css';
import { reaching, type SubjectEntry } from './entries.ts';
import { useAccessEntries } from './use-access-entries.ts';

/** A text that nobody types: its change is a step of the history. */
const { isTyped: _, ...chosen } = text();

const accessSearch = defineSearch({
  kind: oneOf(accessKinds),
  search: text(),
  /** Who reaches it. */
  controller: text(),
  /** Whose details are open. */
  open: chosen,
  /** What the page begins with. */
  new: oneOf(newAccess),
});

/** Everybody who reaches something of the organization: people, those who are invited, programs and guests. */
export function AccessPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation(['access', 'shared']);
  const { data: organization } = useQuery(organizationQuery(organizationId));
  if (!organization) return null; // loaded before the page is shown
  const { isPartial = false, userRole } = organization;
  if (isPartial && !isAllowed(userRole, 'grants.manage')) {
    return (
      <Page title={t('title')}>
        <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t('adminsOnly')}>
          {t('adminsOnlyHint', { role: t(`role.${userRole}`, { ns: 'shared' }) })}
        </EmptyState>
      </Page>
    );
  }
  return <Access organization={organization} />;
}

/** What may be a serial number; of anything else nothing is asked. */
const serialForm = /^(?!.*--)[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?$/;

function readSerial(typed: string): { typed: string; serialNumber: string } {
  const upper = typed.trim().toUpperCase();
  const isSerial = upper.length <= limits.serialNumberLength && serialForm.test(upper);
  return { typed: upper, serialNumber: isSerial ? upper : '' };
}

function Access({ organization }: { organization: Organization }) {
  const { id, userRole, isPartial = false } = organization;
  const { t } = useTranslation(['access', 'grants', 'organizations']);
  const { formatNumber } = useFormat();
  const { search, change } = useSearchOf(accessSearch);
  const { data: user } = useQuery(currentUserQuery);
  const { entries, kinds, error, retry } = useAccessEntries(organization);
  const mayGive = isAllowed(userRole, 'grants.manage');
  const { typed, serialNumber } = readSerial(mayGive ? search.controller : '');
  const reach = useQuery({ ...grantsQuery(id, serialNumber), enabled: serialNumber !== '' });
  const [link, setLink] = useState<InviteLink>();
  /** Whom access is given to, from the details of one. */
  const [subject, setSubject] = useState<KnownSubject>();
  const mayMakeServices = mayGive && !isPartial && isAllowed(userRole, 'tokens.manage');

  const isUnknown =
    typed !== serialNumber ||
    (reach.error instanceof ApiError && reach.error.code === 'controller_not_found');
  const failed = error ?? (isUnknown ? null : reach.error);
  const isThere = entries && user && (serialNumber === '' || reach.data || isUnknown);
  const opened = entries?.find((entry) => entry.id === search.open);
  const close = () => change({ open: '' });

  if (opened?.kind === 'services' && opened.account) {
    return (
      <ServiceDetails
        organization={organization}
        account={opened.account}
        grants={opened.grants}
        onBack={close}
      />
    );
  }
  const subjects = (entries ?? []).filter(
    (entry): entry is SubjectEntry => entry.kind === 'people' || entry.kind === 'services',
  );
  const stopGiving = () => {
    setSubject(undefined);
    if (search.new) change({ new: undefined });
  };
  const tellGiven = (
    { email, subject: known }: Pick<NewAccess, 'email' | 'subject'>,
    url: string | undefined,
  ) => {
    stopGiving();
    if (url !== undefined) return setLink({ email, url });
    showToast({
      severity: 'success',
      summary: known ? t('accessGiven', { ns: 'grants' }) : t('invites.sent', { ns: 'organizations' }),
      details: email,
    });
  };
  const list = () => {
    if (failed && !isThere)
      return <ErrorState error={failed} onRetry={() => void Promise.all([retry(), reach.refetch()])} />;
    if (!isThere) return <SkeletonRows rows={8} height={28} />;
    if (isUnknown) {
      return (
        <EmptyState title={t('noSuchController', { serialNumber: typed })}>
          {t('noSuchControllerHint')}
        </EmptyState>
      );
    }
    const all = serialNumber === '' ? entries : reaching(entries, serialNumber, reach.data ?? []);
    const words = search.search.trim().toLowerCase();
    const named = words === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(words));
    const shown = search.kind === undefined ? named : named.filter(({ kind }) => kind === search.kind);
    const labelOf = (kind: AccessKind | 'all') => {
      const count = kind === 'all' ? named.length : named.filter((entry) => entry.kind === kind).length;
      return (
        <>
          {t(`kind.${kind}`)} <span className={classes.count}>{formatNumber(count)}</span>
        </>
      );
    };
    return (
      <>
        {kinds.length > 1 && (
          <div className={classes.kinds}>
            <SegmentedControl
              aria-label={t('kindFilter')}
              value={search.kind ?? 'all'}
              data={(['all', ...kinds] as const).map((value) => ({ value, label: labelOf(value) }))}
              onChange={(value) => change({ kind: accessKinds.find((kind) => kind === value) })}
            />
          </div>
        )}
        {serialNumber !== '' && <p className={classes.answer}>{t('whoReaches', { serialNumber })}</p>}
        {isPartial && <p className={classes.answer}>{t('partOnly')}</p>}
        {shown.length > 0 ? (
          <AccessTable
            organization={organization}
            entries={shown}
            userId={user.id}
            onOpen={(open) => change({ open })}
          />
        ) : (
          <EmptyState title={t(`none.${search.kind ?? 'all'}`)}>
            {t(`noneHint.${search.kind ?? 'all'}`)}
          </EmptyState>
        )}
      </>
    );
  };
  return (
    <Page
      title={t('title')}
      actions={
        mayGive && (
          <>
            {mayMakeServices && (
              <Button variant="default" onClick={() => change({ new: 'service' })}>
                {t('newService')}
              </Button>
            )}
            <Button leftSection={<IconLockPlus size={16} />} onClick={() => change({ new: 'access' })}>
              {t('give', { ns: 'grants' })}
            </Button>
          </>
        )
      }
    >
      <div className={classes.toolbar}>
        <SearchField
          label={t('search')}
          value={search.search}
          onChange={(value) => change({ search: value })}
        />
        {mayGive && (
          <SearchField
            label={t('controller')}
            value={search.controller}
            onChange={(controller) => change({ controller })}
          />
        )}
      </div>
      {list()}
      {user && (
        <>
          <AccessDrawer
            organization={organization}
            entry={opened}
            members={subjects.flatMap(({ member }) => member ?? [])}
            userId={user.id}
            onClose={close}
            onGive={setSubject}
            onInvited={(email, url) => tellGiven({ email, subject: undefined }, url)}
          />
          <GiveAccessDialog
            organization={organization}
            people={subjects
              .filter((entry) => entry.id !== user.id)
              .map(({ kind, id: each, name }) => ({
                type: kind === 'people' ? 'user' : 'service',
                id: each,
                name,
              }))}
            controller={isUnknown ? '' : serialNumber}
            subject={subject?.name ?? ''}
            opened={mayGive && (subject !== undefined || search.new === 'access')}
            onClose={stopGiving}
            onGiven={tellGiven}
          />
        </>
      )}
      {mayMakeServices && (
        <CreateServiceDialog
          organizationId={id}
          opened={search.new === 'service'}
          onClose={() => change({ new: undefined })}
          onCreated={(open) => change({ new: undefined, open })}
        />
      )}
      <InviteLinkDialog link={link} onClose={() => setLink(undefined)} />
    </Page>
  );
}
