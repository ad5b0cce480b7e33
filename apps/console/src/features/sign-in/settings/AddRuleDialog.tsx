import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { grantRoles, limits, type ShownGroupGrant, type ShownPlace } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { PlaceFields, RoleField, type TypedPlace, toPlace, usePlaceCheck } from '../../grants/index.ts';
import { groupsQuery, labelGroups } from '../../groups/index.ts';

interface Props {
  organizationId: string;
  opened: boolean;
  onClose: () => void;
  onAdd: (rule: ShownGroupGrant) => void;
}

export function AddRuleDialog({ opened, ...form }: Props) {
  const { t } = useTranslation('organizationSignIn');
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('groups.addTitle')}>
      <AddRuleForm {...form} />
    </FormDialog>
  );
}

interface Values extends TypedPlace {
  name: string;
  role: (typeof grantRoles)[number];
}

function AddRuleForm({ organizationId, onClose, onAdd }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('organizationSignIn');
  const { data: groups } = useQuery(groupsQuery({ organization_id: organizationId }));
  const initialValues: Values = { name: '', type: 'group', group: null, controller: '', role: 'viewer' };
  const checkPlace = usePlaceCheck();
  const form = useForm({
    initialValues,
    validate: {
      name: (value) => (value.trim() ? null : t('groups.groupRequired')),
      ...checkPlace,
    },
  });
  const { type, role } = form.values;

  /** As the server will show it. */
  const show = (values: Values): ShownPlace => {
    const place = toPlace(values, organizationId);
    const id = place.type === 'controller' ? place.id.toUpperCase() : place.id;
    const path = place.type === 'group' ? (labelGroups(groups ?? []).get(id)?.path ?? []) : [];
    return { type: place.type, id, name: path.at(-1) ?? id, path: path.slice(0, -1) };
  };
  const submit = form.onSubmit((values) =>
    onAdd({ group: values.name.trim(), scope: show(values), role: values.role }),
  );
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          label={t('groups.group')}
          description={t('groups.groupHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={limits.providerGroupLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <PlaceFields
          organizationId={organizationId}
          isPartial={false}
          type={type}
          onType={(chosen) => form.setFieldValue('type', chosen)}
          group={form.getInputProps('group')}
          controller={form.getInputProps('controller')}
        />
        <RoleField
          value={role}
          choices={grantRoles}
          onChange={(chosen) => form.setFieldValue('role', chosen)}
        />
        <FormButtons submitLabel={t('groups.addSubmit')} isPending={false} onClose={onClose} />
      </Stack>
    </Form>
  );
}
