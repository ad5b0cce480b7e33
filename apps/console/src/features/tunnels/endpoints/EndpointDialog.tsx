import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { ApiError, type Controller, limits, type NamedEndpoint } from '@pult/contract';
import { type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readErrorMessages, readFieldErrors } from '../../../shared/api/error-messages.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { useSaveEndpoint } from './queries.ts';

interface Props {
  opened: boolean;
  controller: Pick<Controller, 'serialNumber' | 'connectionKind'>;
  /** The one to change; undefined to add one. */
  endpoint: NamedEndpoint | undefined;
  onClose: () => void;
}

/** Names a web server on a port of the controller, or renames one. */
export function EndpointDialog({ opened, ...form }: Props) {
  const { t } = useTranslation('endpoints');
  const { endpoint, onClose } = form;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={endpoint ? t('editTitle', { port: endpoint.port }) : t('addTitle')}
    >
      <EndpointForm {...form} />
    </FormDialog>
  );
}

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** What a refusal says of the fields: that a port is reserved is the port's. */
async function readErrors(error: unknown): Promise<Record<string, string>> {
  if (!(error instanceof ApiError) || error.code !== 'port_reserved') return readFieldErrors(error);
  return { port: (await readErrorMessages(error)).join(' ') };
}

function EndpointForm({
  controller: { serialNumber, connectionKind },
  endpoint,
  onClose,
}: Omit<Props, 'opened'>) {
  const { t } = useTranslation('endpoints');
  const save = useSaveEndpoint(serialNumber, endpoint?.port);
  const [name, setName] = useState(endpoint?.name ?? '');
  const [portText, setPortText] = useState(endpoint ? String(endpoint.port) : '');
  const [scheme, setScheme] = useState(endpoint?.scheme ?? 'http');
  const [hostHeader, setHostHeader] = useState(endpoint?.hostHeader ?? '');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const schemeLabel = useId();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (save.isPending) return;
    const port = readPort(portText);
    setErrors({
      ...(name.trim() ? {} : { name: t('nameRequired') }),
      ...(port === undefined ? { port: t('portRange') } : {}),
    });
    if (!name.trim() || port === undefined) return;
    save.mutate(
      { port, name, scheme, hostHeader: hostHeader.trim() || null },
      {
        onSuccess: () => {
          showToast({ severity: 'success', summary: t(endpoint ? 'saved' : 'added') });
          onClose();
        },
        onError: async (error) => setErrors(await readErrors(error)),
      },
    );
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={t('name')}
          placeholder={t('namePlaceholder')}
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={limits.endpointNameLength}
          autoComplete="off"
          data-autofocus
        />
        {!endpoint && (
          <TextInput
            label={t('portLabel')}
            description={t(`portHint.${connectionKind}`)}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder="3000"
            value={portText}
            error={errors.port}
            onChange={(event) => setPortText(event.currentTarget.value)}
            maxLength={5}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
        <div>
          <Input.Label id={schemeLabel} mb={4}>
            {t('scheme')}
          </Input.Label>
          <div>
            <SegmentedControl
              aria-labelledby={schemeLabel}
              value={scheme}
              onChange={setScheme}
              data={[
                { value: 'http', label: 'HTTP' },
                { value: 'https', label: 'HTTPS' },
              ]}
            />
          </div>
          <Input.Description mt={4}>{t('schemeHint')}</Input.Description>
        </div>
        <TextInput
          label={t('hostHeader')}
          description={t('hostHeaderHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={hostHeader}
          error={errors.hostHeader}
          onChange={(event) => setHostHeader(event.currentTarget.value)}
          maxLength={limits.hostHeaderLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <FormButtons
          submitLabel={t(endpoint ? 'save' : 'add')}
          isPending={save.isPending}
          onClose={onClose}
        />
      </Stack>
    </Form>
  );
}
