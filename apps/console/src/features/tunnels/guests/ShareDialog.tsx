import { Checkbox, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type CreatedGuestLink, lifetimes, limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { endpointsQuery } from '../endpoints/queries.ts';
import { useShare } from './queries.ts';

interface Props {
  serialNumber: string;
  opened: boolean;
  onClose: () => void;
  onMade: (link: CreatedGuestLink) => void;
}

export function ShareDialog({ opened, ...form }: Props) {
  const { t } = useTranslation('guests');
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('form.title')}>
      <ShareForm {...form} />
    </FormDialog>
  );
}

/** Seconds; the longest a moment short of the limit, as the clock of the browser may be ahead. */
const periods = {
  hour: 3600,
  day: 24 * 3600,
  threeDays: 3 * 24 * 3600,
  week: lifetimes.guestLink - 600,
} as const;
type Period = keyof typeof periods;

/** Each PIN that is accepted counts: a tab that was closed, and the phone after the laptop. */
const usualUses = 10;

function ShareForm({ serialNumber, onClose, onMade }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('guests');
  const { data: endpoints } = useQuery(endpointsQuery(serialNumber));
  const share = useShare(serialNumber);
  const max = limits.guestLinkUsesMax;
  const form = useForm({
    initialValues: {
      name: '',
      service: 'http',
      isReadOnly: false,
      expiresAt: 'day' as Period,
      uses: usualUses as number | string,
    },
    validate: {
      name: (value) => (value.trim() ? null : t('form.nameRequired')),
      uses: (value) =>
        Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
          ? null
          : t('form.usesRequired', { max }),
    },
  });
  const { service, expiresAt } = form.values;
  const submit = form.onSubmit((values) =>
    share.mutate(
      {
        name: values.name.trim(),
        service: values.service,
        isReadOnly: values.service === 'ssh' && values.isReadOnly,
        expiresAt: new Date(Date.now() + periods[values.expiresAt] * 1000).toISOString(),
        uses: Number(values.uses),
      },
      {
        onSuccess: onMade,
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
          description={t('form.nameHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={t('form.namePlaceholder')}
          maxLength={limits.guestNameLength}
          autoComplete="off"
          data-autofocus
        />
        <NativeSelect
          {...form.getInputProps('service')}
          label={t('form.service')}
          description={endpoints?.some(({ isReserved }) => isReserved) ? t('form.reserved') : undefined}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data={[
            { value: 'http', label: t('service.http') },
            { value: 'ssh', label: t('service.ssh') },
            ...(endpoints ?? [])
              .filter(({ isReserved }) => !isReserved)
              .map(({ port, name }) => ({
                value: String(port),
                label: `${name} :${port}`,
              })),
          ]}
        />
        {service === 'ssh' && (
          <Checkbox {...form.getInputProps('isReadOnly', { type: 'checkbox' })} label={t('form.readOnly')} />
        )}
        <NativeSelect
          label={t('form.period')}
          error={form.errors.expiresAt}
          value={expiresAt}
          data={(Object.keys(periods) as Period[]).map((value) => ({ value, label: t(`form.${value}`) }))}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('expiresAt', value as Period)}
        />
        <NumberInput
          {...form.getInputProps('uses')}
          label={t('form.uses')}
          description={t('form.usesHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          min={1}
          max={max}
        />
        <FormButtons submitLabel={t('form.submit')} isPending={share.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
