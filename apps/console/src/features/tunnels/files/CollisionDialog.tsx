import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shownName } from './shown-name.ts';
import type { Collision } from './use-files.ts';

/** A file of that name is there: it is asked, never guessed. */
export function CollisionDialog({ collision }: { collision: Collision }) {
  const { t } = useTranslation(['files', 'shared']);
  const [all, setAll] = useState(false);
  const { name, answer } = collision;
  return (
    <Modal
      opened
      onClose={() => answer(undefined, false)}
      title={t('collision.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('collision.text', { name: shownName(name) })}
        </Text>
        <Checkbox
          label={t('collision.all')}
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => answer(undefined, all)}>
            {t('collision.skip')}
          </Button>
          <Button variant="default" onClick={() => answer('keep_both', all)}>
            {t('collision.keepBoth')}
          </Button>
          <Button color="red" onClick={() => answer('replace', all)}>
            {t('collision.replace')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
