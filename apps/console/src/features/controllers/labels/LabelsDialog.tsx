import { Button, Group, Modal, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { IconPrinter } from '../../../shared/icons/IconPrinter.ts';
import { loadPart } from '../../../shared/page/load-part.ts';
import type { Labelled } from './LabelSheet.tsx';
import classes from './labels.module.css';

interface Props {
  controllers: readonly Labelled[];
  opened: boolean;
  onClose: () => void;
}

// With the drawing of codes, which the list does without.
const LabelSheet = lazy(async () => ({
  default: (await loadPart(() => import('./LabelSheet.tsx'))).LabelSheet,
}));

/** Labels to print and stick on; on paper nothing else of the page is left. */
export function LabelsDialog({ controllers, opened, onClose }: Props) {
  const { t } = useTranslation(['labels', 'shared']);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
      fullScreen
      classNames={{ root: classes.dialog ?? '', header: classes.screen ?? '' }}
    >
      <Group className={classes.screen ?? ''} justify="space-between" mb="md">
        <Text size="sm" maw={560}>
          {t('hint')}
        </Text>
        <Button leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </Group>
      <Suspense>
        <LabelSheet controllers={controllers} />
      </Suspense>
    </Modal>
  );
}
