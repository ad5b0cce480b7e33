import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconDownload } from '../../../shared/icons/IconDownload.ts';
import { readBrand } from '../../../shared/page/title.ts';
import { saveFile } from '../../../shared/save-file.ts';
import { CopyButton } from '../../../shared/ui/CopyButton.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import classes from '../accounts.module.css';

interface Props {
  email: string;
  /** Open while there are some. */
  codes: string[] | undefined;
  onFinish: () => void;
}

/** The one time that recovery codes are shown: it closes only by the tick that they are saved. */
export function RecoveryCodesDialog({ email, codes, onFinish }: Props) {
  const { t } = useTranslation('security');
  const isShown = codes !== undefined;
  // They are not shown again: a slip of the back button or a reload must not take them away. A session that ends does.
  useBlocker({
    shouldBlockFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE',
    enableBeforeUnload: isShown,
    disabled: !isShown,
  });
  return (
    <Modal
      opened={isShown}
      onClose={() => undefined}
      title={t('codes.title')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size={420}
    >
      {codes && <RecoveryCodes email={email} codes={codes} onFinish={onFinish} />}
    </Modal>
  );
}

function RecoveryCodes({ email, codes, onFinish }: Props & { codes: string[] }) {
  const { t } = useTranslation('security');
  const [isSaved, setIsSaved] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const text = codes.join('\n');
  const download = () => {
    const title = t('codes.fileTitle', { brand: readBrand(), email });
    const file = new Blob([`${title}\n\n${text}\n`], { type: 'text/plain;charset=utf-8' });
    saveFile(file, t('codes.fileName'));
  };
  return (
    <Stack gap="md">
      <Text size="sm">{t('codes.text')}</Text>
      <ul ref={list} className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={download} data-autofocus>
          {t('codes.download')}
        </Button>
        <CopyButton text={text} source={list} />
      </Group>
      <Checkbox
        label={t('codes.saved')}
        checked={isSaved}
        onChange={(event) => setIsSaved(event.currentTarget.checked)}
      />
      <DisabledReason reason={isSaved ? undefined : t('codes.saveFirst')}>
        <Button fullWidth onClick={onFinish}>
          {t('codes.finish')}
        </Button>
      </DisabledReason>
    </Stack>
  );
}
