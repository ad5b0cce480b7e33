import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type DeviceLogin, limits } from '@pult/contract';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconShieldExclamation } from '../../../shared/icons/IconShieldExclamation.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { Section, SettingSections } from '../../../shared/ui/Section.tsx';
import classes from '../accounts.module.css';
import { useFormErrors } from '../use-form-errors.ts';
import { useFindDeviceLogin } from './queries.ts';

/** Yellow on light yellow would be hard to read. */
const darkTitle = { title: { color: 'var(--mantine-color-text)' } };

interface Props {
  onFound: (found: { userCode: string; login: DeviceLogin }) => void;
}

export function CodeForm({ onFound }: Props) {
  const { t } = useTranslation('deviceLogins');
  const [code, setCode] = useState('');
  const { errors, setErrors, clear, read } = useFormErrors();
  const find = useFindDeviceLogin();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const userCode = code.trim();
    if (userCode === '') return setErrors({ userCode: t('codeRequired') });
    find.mutate(userCode, {
      onSuccess: (login) => onFound({ userCode, login }),
      onError: (error) => void read(error),
    });
  };
  return (
    <SettingSections>
      <Section title={t('codeTitle')} description={t('text')}>
        <Form onSubmit={submit}>
          <Stack gap="md" maw={420}>
            <Alert
              color="yellow"
              variant="light"
              icon={<IconShieldExclamation />}
              title={t('warning')}
              styles={darkTitle}
            >
              <Text size="sm">{t('warningText')}</Text>
            </Alert>
            <TextInput
              label={t('code')}
              description={t('codeHint')}
              value={code}
              error={errors.userCode}
              onChange={(event) => {
                clear('userCode');
                setCode(event.currentTarget.value);
              }}
              placeholder="WDJB-MJHT"
              maxLength={limits.userCodeLength * 2}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              autoFocus
              classNames={{ input: classes.code ?? '' }}
              styles={{ input: { textTransform: 'uppercase' } }}
            />
            <Button type="submit" loading={find.isPending}>
              {t('next')}
            </Button>
          </Stack>
        </Form>
      </Section>
    </SettingSections>
  );
}
