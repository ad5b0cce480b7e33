import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from './FormDialog.tsx';

interface Props {
  opened: boolean;
  title: string;
  /** What will happen. */
  children: ReactNode;
  confirmLabel: string;
  /** Must be typed, where nothing brings back what is lost. */
  typedName?: string;
  isPending?: boolean;
  /** Not for what can be done back as easily. */
  isDestructive?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** After it has gone: to put the focus where what opened it is no more. */
  onClosed?: () => void;
}

export function ConfirmDialog({ opened, onClose, onClosed, title, ...content }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} onClosed={onClosed} title={title}>
      <ConfirmForm {...content} onClose={onClose} />
    </FormDialog>
  );
}

function ConfirmForm({
  children,
  confirmLabel,
  typedName,
  isPending = false,
  isDestructive = true,
  onConfirm,
  onClose,
}: Omit<Props, 'opened' | 'title' | 'onClosed'>) {
  const { t } = useTranslation('shared');
  const [typed, setTyped] = useState('');
  const isConfirmed = typedName === undefined || typed.trim() === typedName;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed && !isPending) onConfirm();
      }}
    >
      <Stack gap="md">
        <Text component="div" size="sm">
          {children}
        </Text>
        {typedName === undefined ? null : (
          <TextInput
            label={t('typeToConfirm', { name: typedName })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            {...(isDestructive ? { color: 'red' } : {})}
            disabled={!isConfirmed}
            loading={isPending}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
