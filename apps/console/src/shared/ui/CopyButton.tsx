import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconCheck } from '../icons/IconCheck.ts';
import { IconCopy } from '../icons/IconCopy.ts';
import { copyText } from './copy-text.ts';

interface Props {
  text: string;
  /** The element that shows the text, selected where there is no clipboard. */
  source: RefObject<HTMLElement | null>;
  /** What is copied, for those who only hear the button. */
  label?: string;
}

export function CopyButton({ text, source, label }: Props) {
  const { t } = useTranslation('shared');
  const [state, setState] = useState<'idle' | 'copied' | 'selected'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(text, source.current)) ? 'copied' : 'selected');
  const tip = { idle: label ?? t('copy'), copied: t('copied'), selected: t('copyByHand') }[state];
  return (
    <Tooltip label={tip} opened={state === 'idle' ? undefined : true}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label ?? t('copy')} onClick={copy}>
        {state === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        <VisuallyHidden aria-live="polite">{state === 'idle' ? '' : tip}</VisuallyHidden>
      </ActionIcon>
    </Tooltip>
  );
}
