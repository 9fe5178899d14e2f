/** The header Accept, and which media type an answer gets (RFC 9110 §12.5.1). */
import { failure } from '../errors.ts';
import type { MediaHandler, QualifiedName } from '../schema-cache/schema-cache.ts';
import { type MediaType, mediaTypeName, parseMediaType, splitOutsideQuotes } from './media-type.ts';

/** What makes an answer: one of ours, or a function of the database. */
export type Handler =
  | { kind: 'json' | 'csv' | 'geojson' | 'array-stripped' }
  | { kind: 'object'; stripsNulls: boolean }
  | { kind: 'custom'; handler: MediaHandler };

/** How a request is answered. */
export interface Negotiated {
  /** Of the answer. */
  mediaType: MediaType;
  handler: Handler;
}

/** What can be answered with. */
export interface Producible {
  handlers: readonly MediaHandler[];
  /** The relation that is read, or the function that is called where it returns none. */
  target: QualifiedName;
  /** Whether nothing was selected: handlers of one relation know its own columns only. */
  hasDefaultSelect: boolean;
  isPlanEnabled: boolean;
}

/** Media types of the header, the most wanted first. What has the quality 0 is not wanted at all. */
export function parseAccept(header: string | undefined): MediaType[] {
  if (header === undefined || header.trim() === '') return [{ kind: 'any' }];
  return splitOutsideQuotes(header, ',')
    .filter((text) => text.trim() !== '')
    .map(parseRange)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.specificity - a.specificity)
    .map(({ type }) => type);
}

interface WeightedRange {
  type: MediaType;
  quality: number;
  /** Of equal quality, what says more comes first. */
  specificity: number;
}

const QUALITY = /^\s*q\s*=\s*(\d(?:\.\d*)?|\.\d+)\s*$/i;

function parseRange(text: string): WeightedRange {
  const parts = splitOutsideQuotes(text, ';');
  const weight = parts.findIndex((part, index) => index > 0 && QUALITY.test(part));
  const said = weight === -1 ? parts : parts.toSpliced(weight, 1);
  const quality = weight === -1 ? 1 : Number(QUALITY.exec(parts[weight] ?? '')?.[1]);
  const stars = (said[0] ?? '').split('*').length - 1;
  return { type: parseMediaType(said.join(';')), quality, specificity: said.length - 1 - stars };
}

/**
 * The first accepted media type that can be produced.
 * @throws PGRST107 where there is none
 */
export function negotiate(accepted: readonly MediaType[], producible: Producible): Negotiated {
  for (const type of accepted) {
    const found = produce(type, producible);
    if (found !== undefined) return found;
  }
  throw notAcceptable(accepted);
}

/**
 * Whether the document at the root can be answered with.
 * @throws PGRST107 where it cannot
 */
export function requireOpenApi(accepted: readonly MediaType[]): void {
  const isFine = accepted.some(({ kind }) => kind === 'openapi' || kind === 'json' || kind === 'any');
  if (!isFine) throw notAcceptable(accepted);
}

function notAcceptable(accepted: readonly MediaType[]) {
  const names = accepted.map(mediaTypeName).join(', ');
  return failure('PGRST107', { message: `None of these media types are available: ${names}` });
}

function produce(type: MediaType, producible: Producible): Negotiated | undefined {
  switch (type.kind) {
    // These have a meaning of their own, which no function can take away.
    case 'object':
      return { mediaType: type, handler: { kind: 'object', stripsNulls: type.stripsNulls } };
    case 'array-stripped':
      return { mediaType: type, handler: { kind: 'array-stripped' } };
    case 'plan': {
      if (!producible.isPlanEnabled || type.of.kind === 'plan') return undefined;
      const explained = produce(type.of, producible);
      return explained && { mediaType: type, handler: explained.handler };
    }
    default:
      return customHandler(type, producible) ?? ownHandler(type);
  }
}

/** Of the target first, and there the one for everything before the one for the type; then of all relations. */
function customHandler(type: MediaType, producible: Producible): Negotiated | undefined {
  const { handlers, target, hasDefaultSelect } = producible;
  const name = mediaTypeName(type);
  const ofTarget = hasDefaultSelect ? handlers.filter((handler) => isFor(handler, target)) : [];
  const found =
    ofTarget.find((handler) => handledName(handler) === '*/*') ??
    ofTarget.find((handler) => handledName(handler) === name) ??
    handlers.find((handler) => handler.target === undefined && handledName(handler) === name);
  if (found === undefined) return undefined;
  return { mediaType: answeredType(found), handler: { kind: 'custom', handler: found } };
}

function isFor(handler: MediaHandler, { schema, name }: QualifiedName): boolean {
  return handler.target?.schema === schema && handler.target.name === name;
}

function handledName({ mediaType }: MediaHandler): string {
  return mediaTypeName(parseMediaType(mediaType));
}

/** A handler of everything says by a header what it made; until then it is bytes. */
function answeredType({ mediaType }: MediaHandler): MediaType {
  const type = parseMediaType(mediaType);
  return type.kind === 'any' ? { kind: 'octet-stream' } : type;
}

function ownHandler({ kind }: MediaType): Negotiated | undefined {
  switch (kind) {
    case 'any':
    case 'json':
      return { mediaType: { kind: 'json' }, handler: { kind: 'json' } };
    case 'csv':
    case 'geojson':
      return { mediaType: { kind }, handler: { kind } };
    default:
      return undefined;
  }
}
