import { ActionIcon, Loader, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconArrowUp } from '../../../shared/icons/IconArrowUp.ts';
import { IconRefresh } from '../../../shared/icons/IconRefresh.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import classes from './files.module.css';

interface Props {
  /** Of the folder that is shown; undefined before the first one has come. */
  current: string | undefined;
  /** What stands in the field instead of it, since somebody is in it or what was typed led nowhere. */
  typed: string | undefined;
  isLoading: boolean;
  onTyped: (path: string | undefined) => void;
  onGo: (path: string) => void;
}

/** Where the panel is, and the ways to elsewhere that are no row of it. */
export function PathField({ current, typed, isLoading, onTyped, onGo }: Props) {
  const { t } = useTranslation('files');
  /** What the field held when it was entered. */
  const found = useRef('');
  const value = typed ?? current ?? '';
  return (
    <Form
      className={classes.path}
      onSubmit={(event) => {
        event.preventDefault();
        onGo(value);
      }}
    >
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('up')}
        disabled={current === undefined || current === '/'}
        onClick={() => onGo(`${current}/..`)}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <TextInput
        size="xs"
        flex={1}
        aria-label={t('path')}
        value={value}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        // Held from here on: a listing that comes between the click and the first key would move the caret behind
        // its own path, and what is typed then would go on from there.
        onFocus={() => {
          found.current = value;
          onTyped(value);
        }}
        onBlur={() => {
          if (value === found.current) onTyped(undefined);
        }}
        onChange={(event) => onTyped(event.currentTarget.value)}
        classNames={{ input: classes.pathInput ?? '' }}
        rightSection={isLoading ? <Loader size={12} /> : null}
      />
      <ActionIcon variant="default" size={30} aria-label={t('refresh')} onClick={() => onGo(current ?? '')}>
        <IconRefresh size={16} />
      </ActionIcon>
    </Form>
  );
}
