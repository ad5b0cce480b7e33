import { PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits, type SignInSettings } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { LabelledCopy } from '../../../shared/ui/CopyText.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { useSetIdentityProvider } from './queries.ts';
import classes from './sign-in.module.css';

interface Props {
  organizationId: string;
  settings: SignInSettings;
  opened: boolean;
  onClose: () => void;
}

export function ProviderDialog({ opened, ...form }: Props) {
  const { t } = useTranslation('organizationSignIn');
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('form.title')} size={520}>
      <ProviderForm {...form} />
    </FormDialog>
  );
}

const usual = { scopes: 'profile email', groupsClaim: 'groups', secondFactorAcr: [] };
const inputWrapperOrder = ['label', 'input', 'description', 'error'] as const;

const toList = (typed: string) =>
  typed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function ProviderForm({ organizationId, settings, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation(['organizationSignIn', 'shared', 'accounts']);
  const save = useSetIdentityProvider(organizationId);
  const { provider, redirectUri } = settings;
  const { scopes, groupsClaim, secondFactorAcr } = provider ?? usual;
  const required = (value: string) => (value.trim() ? null : t('form.required'));
  const form = useForm({
    initialValues: {
      name: provider?.name ?? '',
      issuer: provider?.issuer ?? '',
      clientId: provider?.clientId ?? '',
      clientSecret: '',
      scopes,
      groupsClaim,
      secondFactorAcr: secondFactorAcr.join(', '),
    },
    validate: { name: required, issuer: required, clientId: required, groupsClaim: required },
  });
  const submit = form.onSubmit((values) =>
    save.mutate(
      {
        name: values.name.trim(),
        issuer: values.issuer.trim(),
        clientId: values.clientId.trim(),
        ...(values.clientSecret === '' ? {} : { clientSecret: values.clientSecret }),
        scopes: values.scopes.trim(),
        groupsClaim: values.groupsClaim.trim(),
        secondFactorAcr: toList(values.secondFactorAcr),
      },
      {
        onSuccess: () => {
          onClose();
          showToast({ severity: 'success', summary: t('form.done') });
        },
        onError: async (error) => form.setErrors(await readFieldErrors(error)),
      },
    ),
  );
  const field = (name: keyof typeof form.values) => ({
    ...form.getInputProps(name),
    inputWrapperOrder: [...inputWrapperOrder],
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  });
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <LabelledCopy
          form="block"
          label={t('form.redirectUri')}
          text={redirectUri}
          hint={t('form.redirectUriHint')}
        />
        <TextInput
          {...field('name')}
          label={t('provider.name')}
          description={t('form.nameHint')}
          maxLength={limits.nameLength}
          data-autofocus
        />
        <TextInput
          {...field('issuer')}
          label={t('provider.issuer')}
          description={t('form.issuerHint')}
          placeholder="https://id.example.com"
          type="url"
          maxLength={limits.webAddressLength}
        />
        <TextInput
          {...field('clientId')}
          label={t('provider.clientId')}
          maxLength={limits.providerClientIdLength}
        />
        <PasswordInput
          {...field('clientSecret')}
          label={t('form.clientSecret')}
          {...(provider ? { description: t('form.clientSecretHint') } : {})}
          // A password manager would keep it as the user's own.
          autoComplete="new-password"
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ 'aria-label': t('password.show', { ns: 'accounts' }) }}
          aria-invalid={Boolean(form.errors.clientSecret)}
          maxLength={limits.providerSecretLength}
        />
        <details className={classes.more}>
          <summary>{t('form.more')}</summary>
          <Stack gap="md">
            <TextInput
              {...field('scopes')}
              label={t('form.scopes')}
              description={t('form.scopesHint')}
              maxLength={limits.providerScopesLength}
            />
            <TextInput
              {...field('groupsClaim')}
              label={t('form.groupsClaim')}
              description={t('form.groupsClaimHint')}
              maxLength={limits.nameLength}
            />
            <TextInput
              {...field('secondFactorAcr')}
              label={t('form.secondFactorAcr')}
              description={t('form.secondFactorAcrHint')}
            />
          </Stack>
        </details>
        <FormButtons submitLabel={t('form.submit')} isPending={save.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
