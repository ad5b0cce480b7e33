import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogProps {
  opened: boolean;
  title: string;
  /** In pixels. */
  size?: number;
  onClose: () => void;
  /** When it has faded. */
  onClosed?: (() => void) | undefined;
  children: ReactNode;
}

/** A dialog around a form, which is mounted only while it is open: so it opens empty, or as things are, each time. */
export function FormDialog({ opened, title, size, onClose, onClosed, children }: DialogProps) {
  const { t } = useTranslation('shared');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      {...(onClosed ? { onExitTransitionEnd: onClosed } : {})}
      {...(size === undefined ? {} : { size })}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  );
}

interface ButtonsProps {
  submitLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  isDestructive?: boolean;
  onClose: () => void;
}

/** The end of such a form. */
export function FormButtons({ submitLabel, isPending, isDisabled, isDestructive, onClose }: ButtonsProps) {
  const { t } = useTranslation('shared');
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button
        type="submit"
        loading={isPending}
        disabled={isDisabled === true}
        {...(isDestructive ? { color: 'red' } : {})}
      >
        {submitLabel}
      </Button>
    </Group>
  );
}
