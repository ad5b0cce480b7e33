import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import type { TerminalServerMessage } from '@pult/contract';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../../shared/ui/Form.tsx';

type Prompt = Extract<TerminalServerMessage, { type: 'prompt' }>;

interface Props {
  prompt: Prompt;
  onAnswer: (answers: string[]) => void;
  onCancel: () => void;
}

/** What the device's SSH server asks (a one-time code, say). Its texts are the device's: shown as plain text, as a quotation. */
export function PromptForm({ prompt, onAnswer, onCancel }: Props) {
  const { t } = useTranslation('tunnels');
  const [answers, setAnswers] = useState(() => prompt.prompts.map(() => ''));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAnswer(answers);
  };
  return (
    <Form onSubmit={submit} aria-label={t('prompt.title')}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {t('prompt.title')}
        </Title>
        {[prompt.title, prompt.instructions].filter(Boolean).map((text) => (
          <Text key={text} size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        ))}
        {prompt.prompts.map(({ text, echo }, index) => {
          const Field = echo ? TextInput : PasswordInput;
          return (
            <Field
              // The prompts of one message never change their order.
              // biome-ignore lint/suspicious/noArrayIndexKey: two prompts may have the same text
              key={index}
              label={text.trim() || t('prompt.answer')}
              value={answers[index] ?? ''}
              onChange={(event) =>
                setAnswers(answers.map((old, at) => (at === index ? event.currentTarget.value : old)))
              }
              maxLength={1000}
              autoComplete="one-time-code"
              autoFocus={index === 0}
            />
          );
        })}
        <Group grow>
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit">{t('prompt.submit')}</Button>
        </Group>
      </Stack>
    </Form>
  );
}
