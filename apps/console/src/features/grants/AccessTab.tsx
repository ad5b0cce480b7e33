import { Button, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ApiError, isAllowed, limits, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { IconLockPlus } from '../../shared/icons/IconLockPlus.ts';
import { defineSearch } from '../../shared/search/define-search.ts';
import { text } from '../../shared/search/search-parts.ts';
import { useSearchOf } from '../../shared/search/use-search-of.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../shared/ui/ErrorState.tsx';
import { SearchField } from '../../shared/ui/SearchField.tsx';
import { SkeletonRows } from '../../shared/ui/SkeletonRows.tsx';
import { type InviteLink, InviteLinkDialog, PendingInvites } from '../organizations/index.ts';
import { AccessTable } from './AccessTable.tsx';
import classes from './access.module.css';
import { GiveAccessDialog } from './GiveAccessDialog.tsx';
import { grantsQuery, type NewAccess } from './queries.ts';

/** Whose rights are shown, or who reaches a controller; it lives in the address. */
const accessSearch = defineSearch({ person: text(), controller: text() });

/** Who reaches a controller, and why; what a person reaches; giving and ending rights on parts of the tree. */
export function AccessTab({ organization }: { organization: Organization }) {
  const { t } = useTranslation(['access', 'shared']);
  if (isAllowed(organization.userRole, 'grants.manage')) return <Access organization={organization} />;
  return (
    <EmptyState title={t('adminsOnly')}>
      {t('adminsOnlyHint', { role: t(`role.${organization.userRole}`, { ns: 'shared' }) })}
    </EmptyState>
  );
}

/** What may be a serial number; of anything else nothing is asked. */
const serialForm = /^(?!.*--)[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?$/;

function Access({ organization }: { organization: Organization }) {
  const { id, userRole } = organization;
  const { t } = useTranslation(['access', 'organizations', 'shared']);
  const { search, change } = useSearchOf(accessSearch, { isPart: true });
  const typed = search.controller.trim().toUpperCase();
  const controller = typed.length <= limits.serialNumberLength && serialForm.test(typed) ? typed : '';
  const { data: user } = useQuery(currentUserQuery);
  const all = useQuery(grantsQuery(id));
  const { data: grants, error, refetch } = useQuery(grantsQuery(id, controller));
  const [isGiving, giving] = useDisclosure();
  const [link, setLink] = useState<InviteLink>();

  const isUnknown =
    typed !== controller || (error instanceof ApiError && error.code === 'controller_not_found');
  const failed = all.error ?? (isUnknown ? null : error);
  if (failed && !(grants && all.data)) {
    return <ErrorState error={failed} onRetry={() => void Promise.all([all.refetch(), refetch()])} />;
  }
  if (!all.data || !user || !(grants || isUnknown)) return <SkeletonRows rows={5} height={28} />;
  const people = new Map(all.data.map(({ subject }) => [subject.id, subject]));
  const person = people.has(search.person) ? search.person : null;
  const shown = (isUnknown || !grants ? [] : grants).filter(
    ({ subject }) => person === null || subject.id === person,
  );

  const tellGiven = ({ email, subject }: NewAccess, url: string | undefined) => {
    giving.close();
    if (url !== undefined) return setLink({ email, url });
    showToast({
      severity: 'success',
      summary: subject === undefined ? t('invites.sent', { ns: 'organizations' }) : t('accessGiven'),
      details: email,
    });
  };
  const question = () => {
    if (controller !== '' && person === null) return t('whoReaches', { serialNumber: controller });
    if (person !== null) return t('whatReaches', { name: people.get(person)?.name ?? '' });
    return organization.isPartial ? undefined : t('everybody');
  };
  const answer = () => [question(), organization.isPartial && t('partOnly')].filter(Boolean).join(' ');
  const list = () => {
    if (isUnknown) {
      const title = t('noSuchController', { serialNumber: typed });
      return <EmptyState title={title}>{t('noSuchControllerHint')}</EmptyState>;
    }
    return (
      <>
        <p className={classes.answer}>{answer()}</p>
        {shown.length > 0 ? (
          <AccessTable organizationId={id} grants={shown} userId={user.id} />
        ) : (
          <EmptyState title={t('nobody')}>{t('nobodyHint')}</EmptyState>
        )}
      </>
    );
  };
  return (
    <Stack gap="md">
      <div className={classes.toolbar}>
        <div className={classes.field}>
          <SearchField
            label={t('controller')}
            value={search.controller}
            onChange={(value) => change({ controller: value })}
          />
        </div>
        <Select
          className={classes.field}
          classNames={{ option: classes.option ?? '' }}
          aria-label={t('person')}
          placeholder={t('anybody')}
          data={[...people.values()].map(({ id: value, name: label }) => ({ value, label }))}
          value={person}
          onChange={(value) => change({ person: value ?? '' })}
          searchable
          clearable
          limit={100}
        />
        <Button className={classes.give} leftSection={<IconLockPlus size={16} />} onClick={giving.open}>
          {t('give')}
        </Button>
      </div>
      {list()}
      {organization.isPartial && (
        <PendingInvites
          organizationId={id}
          actorRole={userRole}
          onInvited={({ email }, url) =>
            url === undefined
              ? showToast({
                  severity: 'success',
                  summary: t('invites.sent', { ns: 'organizations' }),
                  details: email,
                })
              : setLink({ email, url })
          }
        />
      )}
      <GiveAccessDialog
        organization={organization}
        people={[...people.values()].filter(({ id: each }) => each !== user.id)}
        controller={isUnknown ? '' : controller}
        opened={isGiving}
        onClose={giving.close}
        onGiven={tellGiven}
      />
      <InviteLinkDialog link={link} onClose={() => setLink(undefined)} />
    </Stack>
  );
}
