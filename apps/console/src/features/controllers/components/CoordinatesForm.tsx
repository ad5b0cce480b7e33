import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type Controller, isAllowed } from '@pult/contract';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import {
  type Coordinates,
  checkCoordinates,
  readCoordinate,
  readCoordinates,
  writeCoordinate,
} from '../coordinates.ts';
import { useUpdateController } from '../queries.ts';
import { CoordinatesMap } from './CoordinatesMap.tsx';
import classes from './controller-view.module.css';

/** A pair that is not saved yet, and the stored one that it would replace. */
export interface CoordinatesDraft {
  pair: Coordinates;
  over: Coordinates;
}

interface Props {
  controller: Controller;
  draft: CoordinatesDraft | undefined;
  onDraft: (draft: CoordinatesDraft) => void;
}

const areSame = (one: Coordinates, other: Coordinates) =>
  one.latitude === other.latitude && one.longitude === other.longitude;

const fields: readonly (keyof Coordinates)[] = ['latitude', 'longitude'];

/** What somebody has typed into a field, and the number that it shows meanwhile: another one takes its place. */
interface Typed {
  text: string;
  value: number | null;
  isLeft: boolean;
}

/** Map and fields show one pair, whichever of them changes it. A pair that was stored meanwhile takes its place. */
export function CoordinatesForm({ controller, draft, onDraft }: Props) {
  const { t } = useTranslation(['controllers', 'shared']);
  const locale = useLocale();
  const mayChange = isAllowed(controller.userRole, 'controllers.update');
  const update = useUpdateController(controller.serialNumber);
  const { latitude, longitude } = controller;
  const stored: Coordinates = { latitude, longitude };
  const pair = draft && areSame(draft.over, stored) ? draft.pair : stored;
  const setPair = (next: Coordinates) => onDraft({ pair: next, over: stored });
  const [typed, setTyped] = useState<Partial<Record<keyof Coordinates, Typed>>>({});
  const [tried, setTried] = useState(false);
  const errors = checkCoordinates(pair);

  const typedIn = (name: keyof Coordinates) => {
    const held = typed[name];
    return held?.value === pair[name] ? held : undefined;
  };
  /** Something stands there that is no number of degrees; a pair of them, perhaps. */
  const isOpen = (name: keyof Coordinates) => {
    const text = typedIn(name)?.text.trim() ?? '';
    return text !== '' && readCoordinate(text, name) === undefined;
  };
  const isSame = areSame(pair, stored) && !fields.some(isOpen);

  const place =
    pair.latitude !== null && pair.longitude !== null && Object.keys(errors).length === 0
      ? { latitude: pair.latitude, longitude: pair.longitude }
      : undefined;

  const save = (next: Coordinates) =>
    update.mutate(next, {
      onSuccess: () => showToast({ severity: 'success', summary: t('coordinates.saved') }),
    });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    const read = fields.filter(isOpen).map((name) => readCoordinates(typedIn(name)?.text ?? '', name));
    const next: Coordinates = Object.assign({ ...pair }, ...read);
    if (!areSame(next, pair)) setPair(next);
    const isFit =
      read.every((each) => each !== undefined) && Object.keys(checkCoordinates(next)).length === 0;
    if (mayChange && isFit && !areSame(next, stored)) save(next);
  };
  const type = (text: string, name: keyof Coordinates) => {
    const value = text.trim() === '' ? null : (readCoordinate(text, name) ?? pair[name]);
    setTyped({ ...typed, [name]: { text, value, isLeft: false } });
    if (value !== pair[name]) setPair({ ...pair, [name]: value });
  };
  /** Writes it as the fields do, in both where it is a pair; false where it is nothing of the kind. */
  const take = (text: string, name: keyof Coordinates): boolean => {
    const read = readCoordinates(text, name);
    if (!read) return false;
    setTyped({ ...typed, [name]: undefined });
    setPair({ ...pair, ...read });
    return true;
  };
  const leave = (name: keyof Coordinates) => {
    const held = typedIn(name);
    if (held && !take(held.text, name)) setTyped({ ...typed, [name]: { ...held, isLeft: true } });
  };
  const field = (name: keyof Coordinates) => {
    const held = typedIn(name);
    const isUnread = isOpen(name) && (tried || held?.isLeft);
    const error = isUnread ? 'unread' : errors[name];
    return (
      <TextInput
        label={t(`coordinates.${name}`)}
        value={held?.text ?? writeCoordinate(pair[name], locale)}
        onChange={(event) => type(event.currentTarget.value, name)}
        onBlur={() => leave(name)}
        onPaste={(event) => {
          if (mayChange && take(event.clipboardData.getData('text'), name)) event.preventDefault();
        }}
        error={error && (tried || error !== 'together') && t(`coordinates.${error}`)}
        readOnly={!mayChange}
        autoComplete="off"
        spellCheck={false}
      />
    );
  };
  const reason = mayChange ? undefined : t('roleTooWeak.member', { ns: 'shared' });

  return (
    <Form onSubmit={submit}>
      {(mayChange || place) && (
        <CoordinatesMap controller={controller} place={place} onPick={mayChange ? setPair : undefined} />
      )}
      <Stack gap="sm" className={classes.form ?? ''}>
        <Group gap="sm" align="flex-start" grow>
          {field('latitude')}
          {field('longitude')}
        </Group>
        <Group gap="xs">
          <DisabledReason reason={reason}>
            <Button type="submit" variant="default" disabled={mayChange && isSame} loading={update.isPending}>
              {t('view.save')}
            </Button>
          </DisabledReason>
          {mayChange && latitude !== null && (
            <Button variant="subtle" color="gray" onClick={() => save({ latitude: null, longitude: null })}>
              {t('coordinates.clear')}
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  );
}
