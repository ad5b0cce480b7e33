import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from './drag.module.css';
import { type Dragged, readDragged, writeDragged } from './dragged.ts';

/** The label under the pointer. The browser draws it once, so it is no component. */
function drawPreview(container: HTMLElement, text: string): void {
  const preview = document.createElement('div');
  preview.className = classes.preview ?? '';
  preview.textContent = text;
  container.append(preview);
}

/** Lets the element be dragged to the tree of groups. `getDragged`: asked when a drag begins; without it there is none. */
export function useDragSource(
  element: RefObject<HTMLElement | null>,
  getDragged: (() => Dragged) | undefined,
) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  const describe = (dragged: Dragged) =>
    dragged.kind === 'group'
      ? dragged.group.name
      : t('dragged', { count: dragged.count, formatted: formatNumber(dragged.count) });
  // Registered once, and asked as of now.
  const latest = useRef({ getDragged, describe });
  latest.current = { getDragged, describe };
  const isEnabled = getDragged !== undefined;
  useEffect(() => {
    if (!isEnabled || !element.current) return;
    return draggable({
      element: element.current,
      getInitialData: () => {
        const dragged = latest.current.getDragged?.();
        return dragged ? writeDragged(dragged) : {};
      },
      onGenerateDragPreview: ({ source, nativeSetDragImage }) => {
        const dragged = readDragged(source.data);
        if (!dragged) return;
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: pointerOutsideOfPreview({ x: '12px', y: '8px' }),
          render: ({ container }) => drawPreview(container, latest.current.describe(dragged)),
        });
      },
    });
  }, [element, isEnabled]);
}
