import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { type Controller, isAllowed } from '@pult/contract';
import { type ClipboardEvent, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { type Coordinates, checkCoordinates, readCoordinate, readCoordinatePair } from '../coordinates.ts';
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
  const [tried, setTried] = useState(false);
  const errors = checkCoordinates(pair);
  const isSame = areSame(pair, stored);

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
    if (mayChange && Object.keys(errors).length === 0 && !isSame) save(pair);
  };
  // The field itself knows one decimal separator, and would take 55.5 for 555 where that is a comma.
  const paste = (event: ClipboardEvent, name: keyof Coordinates) => {
    const text = event.clipboardData.getData('text');
    const [whole, single] = [readCoordinatePair(text), readCoordinate(text)];
    if (!whole && single === undefined) return;
    event.preventDefault();
    setPair(whole ?? { ...pair, [name]: single });
  };
  const field = (name: keyof Coordinates) => {
    const error = errors[name];
    return (
      <NumberInput
        label={t(`coordinates.${name}`)}
        value={pair[name] ?? ''}
        onChange={(value) => setPair({ ...pair, [name]: value === '' ? null : Number(value) })}
        onPaste={(event) => paste(event, name)}
        error={error && (tried || error !== 'together') && t(`coordinates.${error}`)}
        readOnly={!isAllowed}
        decimalSeparator={locale === 'ru' ? ',' : '.'}
        decimalScale={6}
        clampBehavior="none"
        hideControls
      />
    );
  };
  const reason = mayChange ? undefined : t('roleTooWeak.member', { ns: 'shared' });

  return (
    <form onSubmit={submit} noValidate>
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
    </form>
  );
}
