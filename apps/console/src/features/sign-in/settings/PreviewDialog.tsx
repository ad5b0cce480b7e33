import { Button, Group, Stack, Text } from '@mantine/core';
import type { GroupGrantsPreview } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { FormDialog } from '../../../shared/ui/FormDialog.tsx';
import list from '../../../shared/ui/item-list.module.css';
import { PlaceName } from '../../grants/index.ts';
import classes from './sign-in.module.css';

interface Props {
  organizationId: string;
  /** Stays while the dialog fades. */
  preview: GroupGrantsPreview | undefined;
  opened: boolean;
  isSaving: boolean;
  /** None where nothing has changed. */
  onSave: (() => void) | undefined;
  onClose: () => void;
}

/** Who would get what by the table. */
export function PreviewDialog({ organizationId, preview, opened, isSaving, onSave, onClose }: Props) {
  const { t } = useTranslation(['organizationSignIn', 'shared']);
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('preview.title')} size={560}>
      <Stack gap="md">
        {preview && preview.unknownGroups.length > 0 && (
          <Text size="sm" c="var(--pult-warning)">
            {t('preview.unknownGroups', { groups: preview.unknownGroups.join(', ') })}
          </Text>
        )}
        {preview && <People organizationId={organizationId} people={preview.people} />}
        <Text size="xs" c="dimmed">
          {t('preview.hint')}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t(onSave ? 'cancel' : 'close', { ns: 'shared' })}
          </Button>
          {onSave && (
            <Button loading={isSaving} onClick={onSave}>
              {t('preview.save')}
            </Button>
          )}
        </Group>
      </Stack>
    </FormDialog>
  );
}

type Person = GroupGrantsPreview['people'][number];

const isChanged = ({ grants }: Person) =>
  grants.some(({ change }) => change === 'added' || change === 'removed');
const isLeftOut = ({ grants }: Person) => grants.some(({ change }) => change === 'left_out');
const signs = { added: '+', kept: '=', removed: '−', left_out: '!' };

interface PeopleProps {
  organizationId: string;
  people: readonly Person[];
}

/** First who gets less than their groups say, then whom it changes something for. */
function People({ organizationId, people }: PeopleProps) {
  const { t } = useTranslation(['organizationSignIn', 'shared']);
  const { formatNumber } = useFormat();
  if (people.length === 0) return <Text size="sm">{t('preview.nobody')}</Text>;
  const changed = people.filter(isChanged);
  const rank = (person: Person) => (isLeftOut(person) ? 0 : isChanged(person) ? 1 : 2);
  const sorted = people.toSorted((first, second) => rank(first) - rank(second));
  return (
    <>
      <Text size="sm">
        {changed.length === 0
          ? t('preview.noChange')
          : t('preview.changes', { count: changed.length, formatted: formatNumber(changed.length) })}
      </Text>
      {/* Reached by the keyboard too, to be scrolled. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className={classes.people} tabIndex={0} aria-label={t('preview.title')}>
        <ul className={list.list}>
          {sorted.map(({ email, groups, grants }) => (
            <li key={email} className={list.item}>
              <div className={list.text}>
                <div className={list.head}>
                  <bdi className={list.name}>{email}</bdi>
                  <span className={list.note}>
                    {groups.length > 0
                      ? t('preview.groups', { groups: groups.join(', ') })
                      : t('preview.noGroups')}
                  </span>
                </div>
                <ul className={classes.changes}>
                  {grants.map(({ scope, role, change }) => (
                    <li
                      key={[change, role, scope.type, scope.id].join(' ')}
                      className={classes.change}
                      data-change={change}
                    >
                      <span className={classes.sign}>
                        <span aria-hidden>{signs[change]}</span> {t(`preview.change.${change}`)}
                      </span>
                      <span>{t(`roleName.${role}`, { ns: 'shared' })}</span>
                      <PlaceName organizationId={organizationId} place={scope} />
                    </li>
                  ))}
                  {grants.length === 0 && <li className={list.note}>{t('preview.nothing')}</li>}
                </ul>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
