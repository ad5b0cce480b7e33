import { Button, Modal } from '@mantine/core';
import { ApiError, type Controller } from '@pult/contract';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentOrganization } from '../../shared/api/use-current-organization.ts';
import { matches } from './matching.ts';
import { createPaletteKeys, PaletteField, PaletteFooter } from './PaletteField.tsx';
import { PaletteList } from './PaletteList.tsx';
import classes from './palette.module.css';
import {
  type ActionName,
  type PaletteItem,
  type PaletteSection,
  useActions,
  useGo,
} from './palette-items.ts';
import { type EarlyInput, setPaletteOpened } from './palette-state.ts';
import { usePaletteSections } from './use-palette-sections.ts';

const close = () => setPaletteOpened(false);

/** Finds controllers, groups, pages and commands from anywhere, and acts on them; made for the keyboard. */
export function Palette({ text: early, isEntered }: EarlyInput) {
  const { t } = useTranslation('palette');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(early);
  /** Whose actions are listed, and what had been typed before. */
  const [subject, setSubject] = useState<{ controller: Controller; typed: string }>();
  const [notice, setNotice] = useState('');
  /** Enter came before the answer did: it is for the best of what is found. */
  const [awaited, setAwaited] = useState<ActionName | undefined>(
    isEntered && early.trim() ? 'open' : undefined,
  );
  const go = useGo(close);
  const current = useCurrentOrganization();
  const actionsOf = useActions({ go, close, tell: setNotice });

  const text = subject ? '' : typed.trim();
  const { sections: all, found } = usePaletteSections({ ...current, text, go, close });
  const sections: PaletteSection[] = subject
    ? [{ name: 'actions', items: actionsOf(subject.controller).filter(({ label }) => matches(label, typed)) }]
    : all;
  const items = sections.flatMap((section) => section.items);
  const { active, isChosen, choose, move } = useActive(items);
  const domIdOf = useCallback((item: PaletteItem) => `${id}-${item.id}`, [id]);

  const type = (value: string) => {
    setTyped(value);
    choose(undefined);
    setNotice('');
    setAwaited(undefined);
  };
  const showActions = (item: PaletteItem | undefined) => {
    if (item?.kind !== 'controller') return;
    setSubject({ controller: item.controller, typed });
    type('');
    field.current?.focus();
  };
  const goBack = () => {
    if (!subject) return;
    setSubject(undefined);
    type(subject.typed);
    choose(`controller-${subject.controller.serialNumber}`);
    field.current?.focus();
  };
  /** With a modifier it is about the controller, whichever of its actions is the active one. */
  const act = (name: ActionName, item: PaletteItem | undefined) => {
    const controller = item?.kind === 'controller' ? item.controller : subject?.controller;
    const actions = controller ? actionsOf(controller) : [];
    const chosen = name === 'open' ? item : actions.find((action) => action.name === name);
    if (chosen?.reason === undefined) chosen?.run();
    else setNotice(chosen.reason);
  };
  const onKeyDown = createPaletteKeys({
    field,
    move,
    enter: (name) => (found.isPending && !isChosen ? setAwaited(name) : act(name, active)),
    showActions: active?.kind === 'controller' ? () => showActions(active) : undefined,
    goBack: subject && goBack,
    close,
  });

  // A scanner types a serial number and Enter faster than any answer comes.
  useEffect(() => {
    if (awaited === undefined || found.isPending) return;
    setAwaited(undefined);
    act(awaited, active);
  });

  const isNothing = items.length === 0 && !found.isPending && !found.error;
  const reason =
    active?.kind === 'controller'
      ? actionsOf(active.controller).find((action) => action.reason !== undefined)?.reason
      : undefined;
  return (
    <Modal.Root
      opened
      onClose={close}
      size={640}
      padding={0}
      centered={false}
      yOffset="12vh"
      closeOnEscape={false}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={t('title')} classNames={{ content: classes.content ?? '' }}>
        <Modal.Body onKeyDown={onKeyDown}>
          <PaletteField
            ref={field}
            value={typed}
            onChange={type}
            subject={subject?.controller.serialNumber}
            onBack={goBack}
            onClose={close}
            listId={`${id}-list`}
            hasItems={items.length > 0}
            activeId={active && domIdOf(active)}
          />
          <div className={classes.progress} data-busy={found.isPending || undefined} aria-hidden />
          {found.error && <PaletteFailure error={found.error} onRetry={found.retry} />}
          {isNothing && (
            <p className={classes.nothing}>
              <strong>{t('nothing', { text: typed.trim() })}</strong>
              {t('nothingHint')}
            </p>
          )}
          <PaletteList
            id={`${id}-list`}
            sections={sections}
            active={active}
            domIdOf={domIdOf}
            typed={typed}
            isStale={found.isPending && found.results !== undefined}
            onPoint={(item) => choose(item.id)}
            onRun={(item) => act('open', item)}
            onActions={showActions}
          />
          <div className={classes.hidden} role="status">
            {found.isPending ? t('searching') : t('found', { count: items.length })}
          </div>
          <PaletteFooter
            active={active}
            reason={reason}
            isInActions={subject !== undefined}
            notice={notice}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The search failed: said here, as what needs no server can still be found. */
function PaletteFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation(['palette', 'shared']);
  return (
    <div className={classes.failure} role="alert">
      <span>
        <strong>{t('failed')}</strong>
        {error instanceof ApiError ? null : `. ${t('unreachable', { ns: 'shared' })}`}
      </span>
      <Button size="compact-sm" variant="default" onClick={onRetry}>
        {t('retry', { ns: 'shared' })}
      </Button>
    </div>
  );
}

/** Which of the items the keys act on: the first, until another is chosen. */
function useActive(items: readonly PaletteItem[]) {
  const [chosen, setChosen] = useState<string>();
  const index = Math.max(
    items.findIndex(({ id }) => id === chosen),
    0,
  );
  const active = items[index];
  return {
    active,
    /** Somebody has looked and chosen, so what comes later takes nothing over. */
    isChosen: active !== undefined && active.id === chosen,
    choose: setChosen,
    /** Round and round. */
    move: (step: number) => setChosen(items.at((index + step) % items.length)?.id),
  };
}
