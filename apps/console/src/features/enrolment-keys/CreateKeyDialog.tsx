import { NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type CreatedEnrolmentKey, lifetimes, limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../shared/api/error-messages.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { addDays, endOfDate, toDay } from '../../shared/time/dates.ts';
import { DateField } from '../../shared/ui/DateField.tsx';
import { Form } from '../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../shared/ui/FormDialog.tsx';
import { groupsQuery, toGroupChoices } from '../groups/index.ts';
import { useCreateEnrolmentKey } from './queries.ts';

interface Props {
  organizationId: string;
  opened: boolean;
  onClose: () => void;
  onCreated: (key: CreatedEnrolmentKey) => void;
}

export function CreateKeyDialog({ opened, ...form }: Props) {
  const { t } = useTranslation('enrolmentKeys');
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('form.title')}>
      <CreateKeyForm {...form} />
    </FormDialog>
  );
}

const usualDays = 90;
const usualUses = 100;
const longestDays = lifetimes.enrolmentKey / (24 * 3600);

function CreateKeyForm({ organizationId, onClose, onCreated }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('enrolmentKeys');
  const { formatNumber } = useFormat();
  const { data: groups } = useQuery(groupsQuery({ organization_id: organizationId }));
  const create = useCreateEnrolmentKey(organizationId);
  const today = new Date();
  const lastDay = toDay(addDays(today, longestDays));
  const limit = formatNumber(limits.enrolmentKeyUsesMax);
  const isDay = (day: string) => endOfDate(day) !== undefined && day >= toDay(today) && day <= lastDay;
  const form = useForm({
    initialValues: {
      name: '',
      group: null as string | null,
      maxUses: usualUses as number | string,
      expiresAt: toDay(addDays(today, usualDays)),
    },
    validate: {
      name: (value) => (value.trim() ? null : t('form.nameRequired')),
      maxUses: (value) =>
        Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limits.enrolmentKeyUsesMax
          ? null
          : t('form.maxUsesWrong', { limit }),
      expiresAt: (value) => (isDay(value) ? null : t('form.expiresWrong')),
    },
  });
  const submit = form.onSubmit(({ name, group, maxUses, expiresAt }) =>
    create.mutate(
      {
        name: name.trim(),
        group,
        maxUses: Number(maxUses),
        expiresAt: (endOfDate(expiresAt) ?? today).toISOString(),
      },
      {
        onSuccess: onCreated,
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
          maxLength={limits.enrolmentKeyNameLength}
          autoComplete="off"
          data-autofocus
        />
        <Select
          {...form.getInputProps('group')}
          label={t('form.group')}
          description={t('form.groupHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={t('noGroup')}
          data={toGroupChoices(groups ?? [])}
          nothingFoundMessage={t('form.noSuchGroup')}
          searchable
          clearable
          limit={100}
          maxDropdownHeight={280}
          comboboxProps={{ shadow: 'md' }}
        />
        <NumberInput
          {...form.getInputProps('maxUses')}
          label={t('form.maxUses')}
          description={t('form.maxUsesHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={limits.enrolmentKeyUsesMax}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
        />
        <DateField
          value={form.values.expiresAt}
          onChange={(day) => form.setFieldValue('expiresAt', day)}
          error={form.errors.expiresAt}
          label={t('form.expiresOn')}
          min={toDay(today)}
          max={lastDay}
        />
        <FormButtons submitLabel={t('form.submit')} isPending={create.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
