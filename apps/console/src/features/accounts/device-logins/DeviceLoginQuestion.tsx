import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type DeviceLogin, neverImpliedScopes, type Permission } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconShieldExclamation } from '../../../shared/icons/IconShieldExclamation.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Section, SettingSections } from '../../../shared/ui/Section.tsx';
import classes from '../accounts.module.css';
import { useFormErrors } from '../use-form-errors.ts';
import { useAnswerDeviceLogin } from './queries.ts';

interface Props {
  userCode: string;
  login: DeviceLogin;
  onDone: (outcome: 'allowed' | 'denied') => void;
  /** The code is over. */
  onBack: () => void;
}

const powerful: readonly Permission[] = neverImpliedScopes;

/** Who asks, from where and for what: all that tells one's own program from a stranger's. */
export function DeviceLoginQuestion({ userCode, login, onDone, onBack }: Props) {
  const { t } = useTranslation(['deviceLogins', 'audit']);
  const { formatDate } = useFormat();
  const { data: user } = useQuery(currentUserQuery);
  const { hostName, address, ownAddress, isSameNetwork, createdAt } = login;
  const [scopes, setScopes] = useState(login.scopes.filter((name) => !powerful.includes(name)));
  const { errors, setErrors, clear, read } = useFormErrors();
  const answer = useAnswerDeviceLogin();
  const onError = (error: unknown) => void read(error);

  const allow = () => {
    if (scopes.length === 0) return setErrors({ scopes: t('scopesRequired') });
    answer.mutate({ userCode, isAllowed: true, scopes }, { onSuccess: () => onDone('allowed'), onError });
  };
  const deny = () =>
    answer.mutate({ userCode, isAllowed: false }, { onSuccess: () => onDone('denied'), onError });
  const details = [
    ['hostName', hostName],
    ['address', address],
    ['ownAddress', ownAddress],
  ] as const;
  return (
    <SettingSections>
      {errors.userCode && (
        <Alert color="red" variant="light" role="alert">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{errors.userCode}</Text>
            <Button variant="default" size="xs" onClick={onBack}>
              {t('again')}
            </Button>
          </Stack>
        </Alert>
      )}
      <Section title={t('asks')}>
        <dl className={classes.details}>
          {details.map(([name, value]) => (
            <div key={name}>
              <dt>{t(name)}</dt>
              <dd>{value === '' ? t('noHostName') : <Mono>{value}</Mono>}</dd>
            </div>
          ))}
          <div>
            <dt>{t('createdAt')}</dt>
            <dd>{formatDate(createdAt)}</dd>
          </div>
        </dl>
      </Section>
      {!isSameNetwork && (
        <Alert
          color="red"
          variant="light"
          icon={<IconShieldExclamation />}
          title={t('otherNetwork')}
          role="alert"
        >
          <Text size="sm">{t('otherNetworkText', { address })}</Text>
        </Alert>
      )}
      <Section title={t('scopes')} description={t('scopesHint')}>
        <Stack gap="md" maw={560}>
          <Checkbox.Group
            aria-label={t('scopes')}
            error={errors.scopes}
            value={scopes}
            onChange={(names) => {
              clear('scopes');
              setScopes(login.scopes.filter((name) => names.includes(name)));
            }}
          >
            <Stack gap="xs">
              {login.scopes.map((name) => (
                <Checkbox
                  key={name}
                  value={name}
                  size="xs"
                  label={t(`permission.${name}`, { ns: 'audit' })}
                  description={powerful.includes(name) ? `${name}: ${t('powerful')}` : name}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Text size="sm">{t('as', { email: user?.email ?? '' })}</Text>
          <Group gap="xs" grow maw={420}>
            <Button variant="default" onClick={deny} disabled={answer.isPending}>
              {t('deny')}
            </Button>
            <Button onClick={allow} loading={answer.isPending}>
              {t('allow')}
            </Button>
          </Group>
        </Stack>
      </Section>
    </SettingSections>
  );
}
