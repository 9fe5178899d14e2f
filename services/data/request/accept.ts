/** Content negotiation: selects the media type of a response by the header Accept (RFC 9110 §12.5.1). */
import { failure } from '../errors.ts';
import type { MediaHandler, QualifiedName } from '../schema-cache/schema-cache.ts';
import { type MediaType, mediaTypeName, parseMediaType, splitOutsideQuotes } from './media-type.ts';

/** The producer of a response body: a built-in format, or (`custom`) a function of the database. */
export type Handler =
  | { kind: 'json' | 'csv' | 'geojson' | 'array-stripped' }
  | { kind: 'object'; stripsNulls: boolean }
  | { kind: 'custom'; handler: MediaHandler };

/** The result of content negotiation. */
export interface Negotiated {
  /** The media type of the response. */
  mediaType: MediaType;
  handler: Handler;
}

/** The properties of a request that determine the media types that can be produced for it. */
export interface Producible {
  handlers: readonly MediaHandler[];
  /** The relation that the request reads, or the function that it calls if the function does not return a relation. */
  target: QualifiedName;
  /** Whether the request has no `select`. Handlers of a relation support only its complete rows. */
  hasDefaultSelect: boolean;
  isPlanEnabled: boolean;
}

/** Parses Accept. Returns the media types by descending preference, without those of quality 0. */
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
  /** Among media ranges of equal quality, the more specific one comes first. */
  specificity: number;
}

const QUALITY = /^\s*q\s*=\s*(\d(?:\.\d*)?|\.\d+)\s*$/i;

function parseRange(text: string): WeightedRange {
  const parts = splitOutsideQuotes(text, ';');
  const weight = parts.findIndex((part, index) => index > 0 && QUALITY.test(part));
  const range = weight === -1 ? parts : parts.toSpliced(weight, 1);
  const quality = weight === -1 ? 1 : Number(QUALITY.exec(parts[weight] ?? '')?.[1]);
  const stars = (range[0] ?? '').split('*').length - 1;
  return { type: parseMediaType(range.join(';')), quality, specificity: range.length - 1 - stars };
}

/**
 * Selects the first accepted media type that can be produced.
 * @throws PGRST107 if none can be produced
 */
export function negotiate(accepted: readonly MediaType[], producible: Producible): Negotiated {
  for (const type of accepted) {
    const found = produce(type, producible);
    if (found !== undefined) return found;
  }
  throw notAcceptable(accepted);
}

/**
 * Requires that the client accepts the OpenAPI document.
 * @throws PGRST107
 */
export function requireOpenApi(accepted: readonly MediaType[]): void {
  const isAccepted = accepted.some(({ kind }) => kind === 'openapi' || kind === 'json' || kind === 'any');
  if (!isAccepted) throw notAcceptable(accepted);
}

function notAcceptable(accepted: readonly MediaType[]) {
  const names = accepted.map(mediaTypeName).join(', ');
  return failure('PGRST107', { message: `None of these media types are available: ${names}` });
}

function produce(type: MediaType, producible: Producible): Negotiated | undefined {
  switch (type.kind) {
    // These types have a fixed meaning that a function of the database cannot override.
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

/**
 * Prefers a handler of the target for all media types, then one of the target for this type, then one for all
 * relations.
 */
function customHandler(type: MediaType, producible: Producible): Negotiated | undefined {
  const { handlers, target, hasDefaultSelect } = producible;
  const name = mediaTypeName(type);
  const ofTarget = hasDefaultSelect ? handlers.filter((handler) => isFor(handler, target)) : [];
  const found =
    ofTarget.find((handler) => handlerMediaType(handler) === '*/*') ??
    ofTarget.find((handler) => handlerMediaType(handler) === name) ??
    handlers.find((handler) => handler.target === undefined && handlerMediaType(handler) === name);
  if (found === undefined) return undefined;
  return { mediaType: producedType(found), handler: { kind: 'custom', handler: found } };
}

function isFor(handler: MediaHandler, { schema, name }: QualifiedName): boolean {
  return handler.target?.schema === schema && handler.target.name === name;
}

function handlerMediaType({ mediaType }: MediaHandler): string {
  return mediaTypeName(parseMediaType(mediaType));
}

/** A handler for all media types sets the header Content-Type itself; the default is `application/octet-stream`. */
function producedType({ mediaType }: MediaHandler): MediaType {
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
