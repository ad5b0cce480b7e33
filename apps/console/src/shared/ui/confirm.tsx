import { Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showDialog } from './DialogHost.tsx';
import { Form } from './Form.tsx';
import { FormButtons, FormDialog } from './FormDialog.tsx';

interface Question {
  title: string;
  /** What will happen. */
  text: ReactNode;
  /** As the button says it. */
  action: string;
  /** Must be typed, where nothing brings back what is lost. */
  typedName?: string;
  /** Not for what can be done back as easily. */
  isDestructive?: boolean;
  /** What is done after a yes; the dialog waits for it. A failure is told by the call itself. */
  run: () => unknown;
  /** Whether it stays after a failure, to try again. */
  stays?: boolean;
  /** What it says of the failure, where it stays. */
  readRefusal?: (error: unknown) => Promise<string | undefined>;
  /** After it has gone: to put the focus where what opened it is no more. */
  onClosed?: () => void;
}

let count = 0;

/** Asks before something is done. */
export function confirm(question: Question): void {
  count += 1;
  showDialog(<ConfirmDialog key={count} {...question} />);
}

function ConfirmDialog({ title, onClosed, ...form }: Question) {
  const [opened, setOpened] = useState(false);
  // Once it is there: so it knows what had the focus.
  useLayoutEffect(() => setOpened(true), []);
  const close = () => setOpened(false);
  return (
    <FormDialog opened={opened} onClose={close} onClosed={onClosed} title={title}>
      <ConfirmForm {...form} onClose={close} />
    </FormDialog>
  );
}

function ConfirmForm({
  text,
  action,
  typedName,
  isDestructive = true,
  run,
  stays = false,
  readRefusal,
  onClose,
}: Omit<Question, 'title' | 'onClosed'> & { onClose: () => void }) {
  const { t } = useTranslation('shared');
  const [typed, setTyped] = useState('');
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const isConfirmed = typedName === undefined || typed.trim() === typedName;
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isConfirmed || isPending) return;
    setPending(true);
    setRefusal(undefined);
    try {
      await run();
    } catch (error) {
      if (stays) {
        setRefusal(await readRefusal?.(error));
        setPending(false);
        return;
      }
    }
    // It is seen for a moment yet: a second click must not do it twice.
    onClose();
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Text component="div" size="sm">
          {text}
        </Text>
        {refusal !== undefined && (
          <Text size="sm" c="var(--pult-danger)" role="alert">
            {refusal}
          </Text>
        )}
        {typedName !== undefined && (
          <TextInput
            label={t('typeToConfirm', { name: typedName })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        <FormButtons
          submitLabel={action}
          isDestructive={isDestructive}
          isPending={isPending}
          isDisabled={!isConfirmed}
          onClose={onClose}
        />
      </Stack>
    </Form>
  );
}
