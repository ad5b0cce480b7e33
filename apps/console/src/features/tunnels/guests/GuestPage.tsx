import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { ApiError, type GuestAnswer, limits } from '@pult/contract';
import { type ComponentType, type SubmitEvent, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../../shared/api/error-messages.ts';
import { isAuthorized } from '../../../shared/auth/authorization.ts';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { groupPin } from './group-pin.ts';
import { useEnter } from './queries.ts';

type EnteredTerminal = Extract<GuestAnswer, { kind: 'terminal' }>;

/** As the server makes them. */
const guestToken = /^[\w-]{43}$/;

interface Props {
  token: string | undefined;
  /** Loaded when it is shown: xterm is large. */
  Terminal: ComponentType<EnteredTerminal>;
}

/** Where a guest’s link leads: the PIN, and then what was shared. */
export function GuestPage({ token, Terminal }: Props) {
  const { t } = useTranslation('guests');
  useDocumentTitle(t('page.title'));
  const enter = useEnter();
  const [terminal, setTerminal] = useState<EnteredTerminal>();
  const [pin, setPin] = useState('');
  const [isTried, setTried] = useState(false);
  const message = useErrorMessage(enter.error);
  const digits = pin.replace(' ', '');
  const isComplete = digits.length === limits.guestPinLength;

  if (terminal) {
    return (
      <Suspense fallback={<Text role="status">{t('page.opening')}</Text>}>
        <Terminal {...terminal} />
      </Suspense>
    );
  }
  // A part of a link, or one that was typed, is told before anybody looks for a PIN.
  const isLink = token !== undefined && guestToken.test(token);
  const isLeaving = enter.data?.kind === 'web';
  // No PIN helps any more: the answer says whom to ask.
  const isOver = enter.error instanceof ApiError && enter.error.code === 'guest_link_invalid';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (!isComplete || token === undefined || enter.isPending) return;
    enter.mutate(
      { token, pin: digits },
      {
        onSuccess: (answer) => {
          if (answer.kind === 'web') return window.location.replace(answer.url);
          setTerminal(answer);
        },
        onError: () => {
          setPin('');
          setTried(false);
        },
      },
    );
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Title order={1}>{t('page.title')}</Title>
        {isLink ? (
          <>
            {!isOver && <Text size="sm">{t('page.text')}</Text>}
            {enter.error && (
              <Alert color="red" variant="light" role="alert">
                {message}
              </Alert>
            )}
          </>
        ) : (
          <Alert color="red" variant="light" role="alert">
            {t('page.noToken')}
          </Alert>
        )}
        {isLink && !isOver && (
          <>
            <TextInput
              label={t('page.pin')}
              value={pin}
              onChange={(event) => setPin(groupPin(event.currentTarget.value))}
              error={isTried && !isComplete && t('page.pinRequired')}
              inputMode="numeric"
              autoComplete="one-time-code"
              placeholder="0000 0000"
              // Whatever stands between the digits goes.
              maxLength={20}
              autoFocus
            />
            <Button type="submit" fullWidth loading={enter.isPending || isLeaving}>
              {t('page.submit')}
            </Button>
          </>
        )}
        {/* A guest has nothing else here; somebody of the organization need not be one. */}
        <Anchor href={paths.root()} size="sm" underline="always">
          {t(isAuthorized() ? 'page.toConsole' : 'page.logIn')}
        </Anchor>
      </Stack>
    </Form>
  );
}
