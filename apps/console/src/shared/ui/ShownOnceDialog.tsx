import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LabelledCopy } from './CopyText.tsx';

interface Props {
  /** What nobody is shown again; undefined: closed. */
  secret: string | undefined;
  title: string;
  text: string;
  /** The secret by itself, and as it is used. */
  copies: readonly { label?: string; text: string; hint?: string }[];
  /** What has to be known before it is used. */
  notice?: ReactNode;
  closeLabel: string;
  size?: number;
  onClose: () => void;
}

/** A secret that was just made, to be copied. */
export function ShownOnceDialog({
  secret,
  title,
  text,
  copies,
  notice,
  closeLabel,
  size,
  onClose,
}: Props): ReactNode {
  const { t } = useTranslation('shared');
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      // A click beside it must not lose the secret.
      closeOnClickOutside={false}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
      {...(size === undefined ? {} : { size })}
    >
      {secret !== undefined && (
        <Stack gap="md">
          <Text size="sm">{text}</Text>
          {notice}
          {copies.map((copy) => (
            <LabelledCopy key={copy.text} form="block" {...copy} />
          ))}
          <Group justify="flex-end">
            <Button onClick={onClose}>{closeLabel}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
