import { act, fireEvent } from '@testing-library/react';

const frames = () =>
  act(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });

function makeTransfer() {
  const data = new Map<string, string>();
  return {
    types: [] as string[],
    items: [],
    files: [],
    dropEffect: 'none',
    effectAllowed: 'all',
    setData: (type: string, value: string) => void data.set(type, value),
    getData: (type: string) => data.get(type) ?? '',
    setDragImage: () => undefined,
  };
}

/** Drags one element over another, as a browser tells it; `drop` or `cancel` ends it. */
export async function dragOver(source: Element, target: Element) {
  const dataTransfer = makeTransfer();
  fireEvent.dragStart(source, { dataTransfer });
  await frames();
  fireEvent.dragEnter(target, { dataTransfer });
  fireEvent.dragOver(target, { dataTransfer });
  await frames();
  return {
    drop: async () => {
      fireEvent.drop(target, { dataTransfer });
      fireEvent.dragEnd(source, { dataTransfer });
      await frames();
    },
    /** Escape: the browser ends the drag without a drop. */
    cancel: async () => {
      fireEvent.dragLeave(target, { dataTransfer });
      fireEvent.dragEnd(source, { dataTransfer });
      await frames();
    },
  };
}
