import { ActionIcon, TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconChevronDown } from '../../../shared/icons/IconChevronDown.ts';
import { IconChevronUp } from '../../../shared/icons/IconChevronUp.ts';
import { IconX } from '../../../shared/icons/IconX.ts';
import type { FindOptions, Found } from './TerminalScreen.tsx';
import classes from './terminal.module.css';

interface Props {
  found: Found;
  onFind: (text: string, options: FindOptions) => void;
  onClose: () => void;
}

/** Looks through the output, from the newest up. */
export function TerminalSearch({ found, onFind, onClose }: Props) {
  const { t } = useTranslation('tunnels');
  const [text, setText] = useState('');
  const [caseSensitive, setCaseSensitive] = useState(false);
  const find = (direction: 'up' | 'down') => onFind(text, { direction, caseSensitive });
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && !event.ctrlKey) find(event.shiftKey ? 'down' : 'up');
    else return;
    event.preventDefault();
  };
  const summary = () => {
    if (text === '') return '';
    if (found.count === 0) return t('search.nothing');
    return found.at > 0 ? t('search.at', { ...found }) : t('search.count', { count: found.count });
  };
  const moves = [
    { label: t('search.up'), direction: 'up', Icon: IconChevronUp },
    { label: t('search.down'), direction: 'down', Icon: IconChevronDown },
  ] as const;
  return (
    <search className={classes.search}>
      <TextInput
        size="xs"
        className={classes.searchText ?? ''}
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        value={text}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          onFind(value, { isTyping: true, caseSensitive });
        }}
        onKeyDown={handleKey}
      />
      <output className={classes.searchCount}>{summary()}</output>
      <UnstyledButton
        className={classes.searchCase}
        aria-pressed={caseSensitive}
        aria-label={t('search.caseSensitive')}
        title={t('search.caseSensitive')}
        onClick={() => {
          setCaseSensitive(!caseSensitive);
          onFind(text, { isTyping: true, caseSensitive: !caseSensitive });
        }}
      >
        Aa
      </UnstyledButton>
      {moves.map(({ label, direction, Icon }) => (
        <ActionIcon
          key={direction}
          variant="subtle"
          color="gray"
          aria-label={label}
          disabled={found.count === 0}
          onClick={() => find(direction)}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
      <ActionIcon variant="subtle" color="gray" aria-label={t('search.close')} onClick={onClose}>
        <IconX size={16} />
      </ActionIcon>
    </search>
  );
}
