import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { useCreateService } from './queries.ts';

interface Props {
  organizationId: string;
  opened: boolean;
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function CreateServiceDialog({ opened, ...form }: Props) {
  const { t } = useTranslation(['services', 'shared']);
  return (
    <Modal
      opened={opened}
      onClose={form.onClose}
      title={t('form.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      {/* Mounted only while open, so that it opens empty each time. */}
      <CreateServiceForm {...form} />
    </Modal>
  );
}

function CreateServiceForm({ organizationId, onClose, onCreated }: Omit<Props, 'opened'>) {
  const { t } = useTranslation(['services', 'shared']);
  const create = useCreateService(organizationId);
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() ? null : t('form.nameRequired')) },
  });
  const submit = form.onSubmit(({ name }) =>
    create.mutate(name.trim(), {
      onSuccess: ({ id }) => onCreated(id),
      onError: async (error) => form.setErrors(await readFieldErrors(error)),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          label={t('form.name')}
          description={t('form.nameHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder="ci-deploy"
          maxLength={limits.serviceAccountNameLength}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel', { ns: 'shared' })}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('form.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
