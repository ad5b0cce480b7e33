import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { Form } from './Form.tsx';
import { FormButtons, FormDialog } from './FormDialog.tsx';

interface Props {
  opened: boolean;
  title: string;
  initialName?: string;
  maxLength?: number;
  /** Below the label of the field. */
  hint?: string;
  autoComplete?: string;
  submitLabel: string;
  isPending: boolean;
  /** With the name trimmed; resolves to why it, or what bears it, was refused. */
  onSubmit: (name: string) => Promise<string | undefined>;
  onClose: () => void;
}

/** Asks for the name of something that is made or renamed. */
export function NameDialog({ opened, title, ...form }: Props) {
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={title}>
      <NameForm {...form} />
    </FormDialog>
  );
}

function NameForm({
  initialName = '',
  maxLength = limits.nameLength,
  hint,
  autoComplete = 'off',
  submitLabel,
  isPending,
  onSubmit,
  onClose,
}: Omit<Props, 'opened' | 'title'>) {
  const { t } = useTranslation('shared');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: initialName },
    validate: { name: (value) => (value.trim() ? null : t('nameRequired')) },
  });
  const submit = form.onSubmit(async ({ name }) => {
    const problem = await onSubmit(name.trim());
    if (problem !== undefined) form.setFieldError('name', problem);
  });
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          key={form.key('name')}
          label={t('name')}
          description={hint}
          maxLength={maxLength}
          autoComplete={autoComplete}
          data-autofocus
        />
        <FormButtons submitLabel={submitLabel} isPending={isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
