import type { ControlMeta } from '@pult/link';
import type { MetaChange, Said } from './meta.ts';

/**
 * Both ways in which a control is described: the JSON object of its `meta`, which is all that this way says at a time, and
 * the topics of older drivers beside it. They come in any order, and what is shown does not depend on it: what the object
 * says, and of the rest what the topics say.
 */
export interface MetaSources {
  object: Said;
  topics: Said;
}

/**
 * The same, without what the control's description holds anyway: which fields each of both says, as bits, and what the topics
 * say otherwise than the object. There are ten thousand controls, and most drivers say everything both ways.
 */
interface PackedSources {
  bits: number;
  hidden: Said | undefined;
}

const fields = ['en', 'ru', 'type', 'units', 'order', 'readonly', 'error', 'enum'] as const;

const bitsOf = (said: Said) =>
  fields.reduce((bits, field, place) => (said[field] === undefined ? bits : bits | (1 << place)), 0);

function pick(said: Said, isPicked: (field: keyof Said, place: number) => boolean): Said {
  return Object.fromEntries(
    fields.flatMap((field, place) => (isPicked(field, place) ? [[field, said[field]]] : [])),
  ) as Said;
}

/** What is shown of both. */
export function joinSources({ object, topics }: MetaSources): ControlMeta {
  const { en = null, ru = null, ...said } = { ...topics, ...object };
  return {
    title: { en, ru },
    type: said.type ?? null,
    units: said.units ?? null,
    order: said.order ?? null,
    readonly: said.readonly ?? null,
    error: said.error ?? null,
    ...(said.enum ? { enum: said.enum } : {}),
  };
}

export function packSources({ object, topics }: MetaSources): PackedSources {
  const isHidden = (field: keyof Said) =>
    topics[field] !== undefined && object[field] !== undefined && object[field] !== topics[field];
  const hidden = pick(topics, isHidden);
  return {
    bits: bitsOf(object) | (bitsOf(topics) << fields.length),
    hidden: bitsOf(hidden) === 0 ? undefined : hidden,
  };
}

/** `shown` is what was joined of them. */
export function unpackSources({ title, ...meta }: ControlMeta, { bits, hidden }: PackedSources): MetaSources {
  const shown = { ...meta, ...title } as Said;
  return {
    object: pick(shown, (_, place) => (bits & (1 << place)) !== 0),
    topics: {
      ...pick(shown, (_, place) => (bits & (1 << (place + fields.length))) !== 0),
      ...hidden,
    },
  };
}

export function changeSources({ object, topics }: MetaSources, change: MetaChange): MetaSources {
  if ('object' in change) return { object: change.object, topics };
  const { [change.field]: _, ...others } = topics;
  return { object, topics: { ...others, ...change.said } };
}
