import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits, type Organization } from '@pult/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { useUpdateOrganization } from '../queries.ts';
import classes from './settings.module.css';

export function RenameForm({ organization }: { organization: Organization }) {
  const { t } = useTranslation(['organizationSettings', 'shared']);
  const update = useUpdateOrganization(organization.id);
  const draft = useDraft(`organization-name:${organization.id}`);
  const form = useForm({
    initialValues: { name: draft.read() ?? organization.name },
    onValuesChange: ({ name }) => draft.keep(name === organization.name ? undefined : name),
    validate: { name: (value) => (value.trim() ? null : t('nameRequired', { ns: 'shared' })) },
  });
  const submit = form.onSubmit(({ name }) => {
    if (name.trim() === organization.name) return;
    update.mutate(
      { name: name.trim() },
      {
        onSuccess: () => {
          draft.keep(undefined);
          showToast({ severity: 'success', summary: t('saved') });
        },
        onError: async (error) => form.setErrors(await readFieldErrors(error)),
      },
    );
  });
  return (
    <Form onSubmit={submit} className={classes.form}>
      <TextInput
        {...form.getInputProps('name')}
        className={classes.field}
        label={t('name', { ns: 'shared' })}
        maxLength={limits.nameLength}
        autoComplete="off"
      />
      <Button type="submit" variant="default" loading={update.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}

/** What was typed into a field and not saved, while its user looks at other pages. */
function useDraft(field: string) {
  const client = useQueryClient();
  const queryKey = queryKeys.draft(field);
  return {
    read: () => client.getQueryData<string>(queryKey),
    /** Undefined: it is saved, or as it was. */
    keep: (text: string | undefined) => {
      client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
      if (text === undefined) client.removeQueries({ queryKey });
      else client.setQueryData(queryKey, text);
    },
  };
}
