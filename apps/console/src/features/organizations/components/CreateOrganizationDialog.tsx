import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits, type Organization } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { useCreateOrganization } from '../queries.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  onCreated: (organization: Organization) => void;
}

export function CreateOrganizationDialog({ opened, onClose, onCreated }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('create')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      {/* Mounted only while open, so that it opens empty each time. */}
      <CreateOrganizationForm onClose={onClose} onCreated={onCreated} />
    </Modal>
  );
}

function CreateOrganizationForm({ onClose, onCreated }: Omit<Props, 'opened'>) {
  const { t } = useTranslation(['organizations', 'shared']);
  const create = useCreateOrganization();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() ? null : t('nameRequired')) },
  });
  const submit = form.onSubmit(({ name }) => {
    create.mutate(name, {
      onSuccess: onCreated,
      onError: async (error) => form.setErrors(await readFieldErrors(error)),
    });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          key={form.key('name')}
          label={t('name')}
          description={t('nameHint')}
          maxLength={limits.nameLength}
          autoComplete="organization"
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel', { ns: 'shared' })}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
