import { Button, Select } from '@mantine/core';
import { isAllowed, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { NewOrganization } from './NewOrganization.tsx';

interface Props {
  organizations: readonly Organization[];
  value: string | null;
  onChange: (organizationId: string | null) => void;
}

/** Where the controller is to belong. Organizations in which one may not add any are listed with the reason. */
export function OrganizationField({ organizations, value, onChange }: Props) {
  const { t } = useTranslation('activation');
  const [isCreating, setCreating] = useState(false);
  const { data: user } = useQuery(currentUserQuery);
  if (isCreating || organizations.length === 0) {
    return (
      <NewOrganization
        isFirst={organizations.length === 0}
        onCancel={() => setCreating(false)}
        onCreated={(organization) => {
          onChange(organization.id);
          setCreating(false);
        }}
      />
    );
  }
  return (
    <div>
      <Select
        label={t('organization')}
        placeholder={t('chooseOrganization')}
        value={value}
        onChange={onChange}
        searchable={organizations.length > 8}
        allowDeselect={false}
        data={organizations.map(({ id, name, userRole }) => {
          const allowed = isAllowed(userRole, 'controllers.activate');
          return { value: id, label: allowed ? name : `${name} — ${t('roleTooWeak')}`, disabled: !allowed };
        })}
      />
      {/* A session of one organization makes no other. */}
      {user?.signedInto === undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          c="var(--pult-accent-text)"
          mt={4}
          ml={-8}
          onClick={() => setCreating(true)}
        >
          {t('newOrganization')}
        </Button>
      )}
    </div>
  );
}
