import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isAllowed, type Organization, type ServiceAccount } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { Page } from '../../shared/ui/Page.tsx';
import { QueryState } from '../../shared/ui/QueryState.tsx';
import { CreateServiceDialog } from './CreateServiceDialog.tsx';
import { serviceAccountsQuery } from './queries.ts';
import { ServiceDetails } from './ServiceDetails.tsx';
import classes from './services.module.css';

/** The page of the accounts by which programs of the organization act, or of the one that is open. */
export function ServicesTab({ organization }: { organization: Organization }) {
  const { t } = useTranslation(['services', 'shared']);
  const { userRole, isPartial } = organization;
  if (isPartial) {
    return (
      <ServicesPage>
        <EmptyState title={t('wholeOnly')}>{t('wholeOnlyHint')}</EmptyState>
      </ServicesPage>
    );
  }
  if (!isAllowed(userRole, 'tokens.manage')) {
    return (
      <ServicesPage>
        <EmptyState title={t('adminsOnly')}>
          {t('adminsOnlyHint', { role: t(`role.${userRole}`, { ns: 'shared' }) })}
        </EmptyState>
      </ServicesPage>
    );
  }
  return <Services organization={organization} />;
}

function ServicesPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation('organizations');
  return <Page title={t('parts.services')}>{children}</Page>;
}

function Services({ organization }: { organization: Organization }) {
  const { t } = useTranslation('services');
  const query = useQuery(serviceAccountsQuery(organization.id));
  const accounts = query.data;
  const [isCreating, creating] = useDisclosure();
  const [chosen, setChosen] = useState<string>();
  if (!accounts) {
    return (
      <ServicesPage>
        <QueryState query={query} rows={4} height={44} />
      </ServicesPage>
    );
  }
  const account = accounts.find(({ id }) => id === chosen);
  if (account) {
    return (
      <ServiceDetails organization={organization} account={account} onBack={() => setChosen(undefined)} />
    );
  }
  return (
    <ServicesPage>
      <div className={classes.toolbar}>
        <Text size="sm" maw={640}>
          {t('text')}
        </Text>
        <Button onClick={creating.open}>{t('create')}</Button>
      </div>
      {accounts.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneHint')}</EmptyState>
      ) : (
        <ul className={classes.list}>
          {accounts.map((each) => (
            <ServiceRow key={each.id} account={each} onOpen={() => setChosen(each.id)} />
          ))}
        </ul>
      )}
      <CreateServiceDialog
        organizationId={organization.id}
        opened={isCreating}
        onClose={creating.close}
        onCreated={(id) => {
          creating.close();
          setChosen(id);
        }}
      />
    </ServicesPage>
  );
}

function ServiceRow({ account, onOpen }: { account: ServiceAccount; onOpen: () => void }) {
  const { t } = useTranslation('services');
  const { formatDate } = useFormat();
  const { name, grants, lastUsedAt } = account;
  return (
    <li>
      <button type="button" className={classes.account} onClick={onOpen} aria-label={t('open', { name })}>
        <bdi className={classes.name}>{name}</bdi>
        <span>{grants === 0 ? t('noRights') : t('counts', { ...account })}</span>
        <span>{lastUsedAt === null ? t('neverUsed') : t('lastUsed', { date: formatDate(lastUsedAt) })}</span>
      </button>
    </li>
  );
}
