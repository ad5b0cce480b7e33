import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SignInSettings } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { LabelledCopy } from '../../../shared/ui/CopyText.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { ProviderDialog } from './ProviderDialog.tsx';
import { useDeleteIdentityProvider } from './queries.ts';
import classes from './sign-in.module.css';

interface Props {
  organizationId: string;
  settings: SignInSettings;
}

/** The provider of the organization, or which one signs in instead. */
export function ProviderSettings({ organizationId, settings }: Props) {
  const { t } = useTranslation('organizationSignIn');
  const { provider, installationProvider, isRequired, signInUrl } = settings;
  const [isSetting, setting] = useDisclosure();
  const deletion = useDeleteIdentityProvider(organizationId);
  const askToDelete = () =>
    confirm({
      title: t('provider.deleteTitle', { name: provider?.name ?? '' }),
      text: t('provider.deleteText'),
      action: t('provider.delete'),
      run: async () => {
        await deletion.mutateAsync();
        showToast({ severity: 'success', summary: t('provider.deleted') });
      },
    });
  const without = () =>
    installationProvider
      ? t('provider.ofInstallation', { name: installationProvider.name })
      : t('provider.none');
  return (
    <Stack gap="md">
      {provider ? (
        <dl className={classes.provider}>
          <dt>{t('provider.name')}</dt>
          <dd>{provider.name}</dd>
          <dt>{t('provider.issuer')}</dt>
          <dd>
            <Mono>{provider.issuer}</Mono>
          </dd>
          <dt>{t('provider.clientId')}</dt>
          <dd>
            <Mono>{provider.clientId}</Mono>
          </dd>
        </dl>
      ) : (
        <Text size="sm" maw={560}>
          {without()}
        </Text>
      )}
      {(provider || installationProvider) && (
        <LabelledCopy
          form="block"
          label={t('provider.signInUrl')}
          text={signInUrl}
          hint={t('provider.signInUrlHint')}
        />
      )}
      <Group gap="xs">
        <Button variant="default" onClick={setting.open}>
          {t(provider ? 'provider.change' : 'provider.set')}
        </Button>
        {provider && (
          <DisabledReason reason={isRequired ? t('provider.isRequired') : undefined}>
            <Button variant="outline" color="red" onClick={askToDelete}>
              {t('provider.delete')}
            </Button>
          </DisabledReason>
        )}
      </Group>
      <ProviderDialog
        organizationId={organizationId}
        settings={settings}
        opened={isSetting}
        onClose={setting.close}
      />
    </Stack>
  );
}
