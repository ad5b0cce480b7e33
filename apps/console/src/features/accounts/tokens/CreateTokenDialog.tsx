import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type CreatedToken, limits, type Permission } from '@pult/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import type { NewToken } from './queries.ts';
import { ScopesField } from './ScopesField.tsx';

/** Makes a token somebody's. */
export type CreateToken = UseMutationResult<CreatedToken, Error, NewToken>;

interface Props {
  create: CreateToken;
  opened: boolean;
  onClose: () => void;
  onCreated: (token: string) => void;
}

export function CreateTokenDialog({ opened, ...form }: Props) {
  const { t } = useTranslation('tokens');
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('form.title')} size={520}>
      <CreateTokenForm {...form} />
    </FormDialog>
  );
}

const day = 24 * 3600 * 1000;
const never = 'never';

function CreateTokenForm({ create, onClose, onCreated }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('tokens');
  const form = useForm({
    initialValues: { name: '', scopes: [] as Permission[], expiresAt: '90', networks: '' },
    validate: {
      name: (value) => (value.trim() ? null : t('form.nameRequired')),
      scopes: (value) => (value.length > 0 ? null : t('form.scopesRequired')),
    },
  });
  const submit = form.onSubmit(({ name, scopes, expiresAt: days, networks }) =>
    create.mutate(
      {
        name: name.trim(),
        scopes,
        expiresAt: days === never ? null : new Date(Date.now() + Number(days) * day).toISOString(),
        networks: networks.split(/[\s,;]+/).filter((network) => network !== ''),
      },
      {
        onSuccess: ({ token }) => onCreated(token),
        onError: async (error) => form.setErrors(await readFieldErrors(error)),
      },
    ),
  );
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          label={t('form.name')}
          placeholder={t('form.namePlaceholder')}
          maxLength={limits.tokenNameLength}
          autoComplete="off"
          data-autofocus
        />
        <NativeSelect
          {...form.getInputProps('expiresAt')}
          label={t('form.end')}
          data={[
            { value: '30', label: t('form.days', { count: 30 }) },
            { value: '90', label: t('form.days', { count: 90 }) },
            { value: '365', label: t('form.year') },
            { value: never, label: t('form.never') },
          ]}
        />
        <TextInput
          {...form.getInputProps('networks')}
          label={t('form.networks')}
          description={t('form.networksHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder="203.0.113.7, 10.0.0.0/8"
          maxLength={limits.networksPerToken * (limits.networkLength + 2)}
          autoComplete="off"
          spellCheck={false}
        />
        <ScopesField
          value={form.values.scopes}
          error={form.errors.scopes === undefined ? undefined : String(form.errors.scopes)}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        />
        <FormButtons submitLabel={t('form.submit')} isPending={create.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
