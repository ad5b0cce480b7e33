import { Button, Group, Text, TextInput } from '@mantine/core';
import { limits, type Organization } from '@pult/contract';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateOrganization } from '../queries.ts';
import classes from './add-controller.module.css';

interface Props {
  /** There is no other to choose. */
  isFirst: boolean;
  onCreated: (organization: Organization) => void;
  onCancel: () => void;
}

/** Makes an organization without leaving the page. Not a form of its own: it stands inside one. */
export function NewOrganization({ isFirst, onCreated, onCancel }: Props) {
  const { t } = useTranslation(['activation', 'shared']);
  const [name, setName] = useState('');
  const create = useCreateOrganization();
  const submit = () => {
    if (name.trim() && !create.isPending) create.mutate(name.trim(), { onSuccess: onCreated });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault(); // not the outer form
    submit();
  };
  return (
    <div>
      {isFirst && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('noOrganizations')}
        </Text>
      )}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          className={classes.grow}
          label={t('newOrganizationName')}
          value={name}
          maxLength={limits.nameLength}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          autoFocus={!isFirst}
        />
        <Button variant="default" onClick={submit} loading={create.isPending} disabled={!name.trim()}>
          {t('createOrganization')}
        </Button>
        {!isFirst && (
          <Button variant="subtle" color="gray" onClick={onCancel}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        )}
      </Group>
    </div>
  );
}
