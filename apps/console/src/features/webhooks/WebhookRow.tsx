import { ActionIcon, Anchor, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Webhook } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { IconDots } from '../../shared/icons/IconDots.ts';
import { IconPencil } from '../../shared/icons/IconPencil.ts';
import { IconSend } from '../../shared/icons/IconSend.ts';
import { IconTrash } from '../../shared/icons/IconTrash.ts';
import { paths } from '../../shared/paths.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import list from '../../shared/ui/item-list.module.css';
import { Mono } from '../../shared/ui/Mono.tsx';
import { useDeleteWebhook, useTestWebhook } from './queries.ts';
import { useResultText } from './use-result-text.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import classes from './webhooks.module.css';

interface Props {
  organizationId: string;
  webhook: Webhook;
  onSecret: (secret: string) => void;
}

export function WebhookRow({ organizationId, webhook, onSecret }: Props) {
  const { t } = useTranslation('webhooks');
  const { formatDate, formatNumber } = useFormat();
  const describeResult = useResultText();
  const { id, name, url, events, enabled, lastDelivery } = webhook;
  const chosen =
    events === null
      ? t('allEvents')
      : t('someEvents', { count: events.length, formatted: formatNumber(events.length) });
  return (
    <li className={list.item}>
      <div className={list.text}>
        <div className={list.head}>
          <bdi className={list.name}>{name}</bdi>
          {!enabled && <span className={list.note}>{t('off')}</span>}
        </div>
        <div className={list.details}>
          {url === null ? <span className={classes.problem}>{t('lost')}</span> : <Mono>{url}</Mono>}
          <span>{chosen}</span>
        </div>
        <div className={list.details}>
          <span className={classes.result} data-state={lastDelivery?.state}>
            {lastDelivery === null
              ? t('unused')
              : `${formatDate(lastDelivery.triedAt ?? lastDelivery.createdAt)}: ${describeResult(lastDelivery)}`}
          </span>
          <Anchor component={Link} to={paths.webhook(organizationId, id)} inherit>
            {t('deliveries')}
          </Anchor>
        </div>
      </div>
      <WebhookMenu organizationId={organizationId} webhook={webhook} onSecret={onSecret} />
    </li>
  );
}

/** What can be done with a webhook. */
function WebhookMenu({ organizationId, webhook, onSecret }: Props) {
  const { t } = useTranslation('webhooks');
  const describeResult = useResultText();
  const [isEditing, editing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
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
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={deleting.open}>
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
      <ConfirmDialog
        opened={isDeleting}
        title={t('deleteTitle', { name })}
        confirmLabel={t('delete')}
        isPending={removal.isPending}
        onConfirm={() =>
          removal.mutate(id, {
            onSuccess: () => showToast({ severity: 'success', summary: t('deleted'), details: name }),
            onSettled: deleting.close,
          })
        }
        onClose={deleting.close}
        onClosed={focusMenu}
      >
        {t('deleteText')}
      </ConfirmDialog>
    </>
  );
}
