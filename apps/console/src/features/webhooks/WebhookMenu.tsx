import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Webhook } from '@pult/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconDots } from '../../shared/icons/IconDots.ts';
import { IconPencil } from '../../shared/icons/IconPencil.ts';
import { IconSend } from '../../shared/icons/IconSend.ts';
import { IconTrash } from '../../shared/icons/IconTrash.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { confirm } from '../../shared/ui/confirm.tsx';
import { useDeleteWebhook, useTestWebhook } from './queries.ts';
import { useResultText } from './use-result-text.ts';
import { WebhookDialog } from './WebhookDialog.tsx';

interface Props {
  organizationId: string;
  webhook: Webhook;
  onSecret: (secret: string) => void;
}

/** What can be done with a webhook. */
export function WebhookMenu({ organizationId, webhook, onSecret }: Props) {
  const { t } = useTranslation('webhooks');
  const describeResult = useResultText();
  const [isEditing, editing] = useDisclosure();
  const removal = useDeleteWebhook(organizationId);
  const test = useTestWebhook(organizationId);
  const menu = useRef<HTMLButtonElement>(null);
  // The entry that opened the dialog is gone with the menu.
  const focusMenu = () => menu.current?.focus();
  const { id, name } = webhook;
  const sendTest = () =>
    test.mutate(id, {
      onSuccess: (delivery) =>
        delivery.state === 'delivered'
          ? showToast({ severity: 'success', summary: t('tested'), details: name })
          : showToast({ severity: 'error', summary: t('testFailed'), details: describeResult(delivery) }),
    });
  const askToDelete = () =>
    confirm({
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      action: t('delete'),
      onClosed: focusMenu,
      run: async () => {
        await removal.mutateAsync(id);
        showToast({ severity: 'success', summary: t('deleted'), details: name });
      },
    });
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            ref={menu}
            variant="subtle"
            color="gray"
            size="lg"
            loading={test.isPending}
            aria-label={t('menu', { name })}
          >
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={editing.open}>
            {t('edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconSend size={16} />} onClick={sendTest}>
            {t('test')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={askToDelete}>
            {t('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookDialog
        organizationId={organizationId}
        webhook={webhook}
        opened={isEditing}
        onClose={editing.close}
        onClosed={focusMenu}
        onSecret={onSecret}
      />
    </>
  );
}
