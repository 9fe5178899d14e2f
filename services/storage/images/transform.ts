/**
 * Transformations of an image: parses them from a query or body and from the text in a signed link, and formats them
 * for links and response headers. Sizes outside of the limits are clamped.
 */

const RESIZES = ['cover', 'contain', 'fill'] as const;
const FORMATS = ['origin', 'avif', 'webp'] as const;
/**
 * Sides and corners by the first letters of compass directions; `ce` is the centre, `sm` (smart) the most salient area,
 * and `fp` a focal point.
 */
const GRAVITIES = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const;
const QUALITY = { min: 20, max: 100 };
/** Names of the resize modes in `X-Transformations`, as in the hosted service's renderer. */
const RESIZING_TYPES = { cover: 'fill', contain: 'fit', fill: 'force' } as const;

/** Requested transformations. Empty: the image unchanged, without its metadata. */
export interface Transform {
  /** Width in pixels. */
  width?: number;
  height?: number;
  /** Default: cover. */
  resize?: (typeof RESIZES)[number];
  quality?: number;
  /** `origin`: the source's format; undefined: negotiated by `Accept`. */
  format?: (typeof FORMATS)[number];
  gravity?: (typeof GRAVITIES)[number];
  /** Below 1: a fraction of the image; otherwise pixels. With `fp`, both are fractions. */
  xOffset?: number;
  yOffset?: number;
}

/** Limits of width and height, in pixels. */
interface SizeLimits {
  minSize: number;
  maxSize: number;
}

/**
 * Schema of transformations in a query or a body. A focal point needs both of its coordinates, as fractions of the
 * image.
 */
export const TRANSFORM_SCHEMA = {
  type: 'object',
  properties: {
    height: { type: 'integer', minimum: 0 },
    width: { type: 'integer', minimum: 0 },
    resize: { type: 'string', enum: RESIZES },
    format: { type: 'string', enum: FORMATS },
    quality: { type: 'integer', minimum: QUALITY.min, maximum: QUALITY.max },
    gravity: { type: 'string', enum: GRAVITIES },
    x_offset: { type: 'number' },
    y_offset: { type: 'number' },
  },
  if: { type: 'object', properties: { gravity: { const: 'fp' } }, required: ['gravity'] },
  // biome-ignore lint/suspicious/noThenProperty: keyword of JSON schema
  then: {
    required: ['x_offset', 'y_offset'],
    properties: {
      x_offset: { type: 'number', minimum: 0, maximum: 1 },
      y_offset: { type: 'number', minimum: 0, maximum: 1 },
    },
  },
} as const;

/** A request that conforms to {@link TRANSFORM_SCHEMA}. */
export interface TransformRequest extends Omit<Transform, 'xOffset' | 'yOffset'> {
  x_offset?: number;
  y_offset?: number;
}

/** Parses a request, and clamps sizes to `limits`. */
export function readTransform(request: TransformRequest, limits: SizeLimits): Transform {
  const { height, width, resize, format, quality, gravity, x_offset: xOffset, y_offset: yOffset } = request;
  return omitUndefined({
    height: clamped(height, limits),
    width: clamped(width, limits),
    resize,
    format,
    quality,
    gravity,
    xOffset,
    yOffset,
  });
}

/** Text of transformations in a link, e.g. `height:50,width:100,resize:contain`; empty for none. */
export function transformText(transform: Transform): string {
  const { height, width, resize, quality } = transform;
  return [
    ...formatField('height', height),
    ...formatField('width', width),
    ...formatField('resize', height === undefined && width === undefined ? undefined : resize),
    ...formatField('quality', quality),
    ...formatField('format', formatOf(transform)),
    ...gravityTexts(transform),
  ].join(',');
}

/** Additional claims of a link to an image; empty if rendering is disabled. */
export function transformClaims(
  request: TransformRequest | undefined,
  images: SizeLimits & { isEnabled: boolean },
): { transformations?: string; format?: string } {
  if (request === undefined || !images.isEnabled) return {};
  const transformations = transformText(readTransform(request, images));
  return {
    ...(transformations !== '' && { transformations }),
    ...(request.format !== undefined && { format: request.format }),
  };
}

/** Parses {@link transformText}. The text is signed, possibly by the hosted service, so unknown fields are ignored. */
export function parseTransformText(text: string, limits: SizeLimits): Transform {
  const fields = text.split(',').map((field) => field.split(':'));
  const find = (name: string) => fields.find(([found]) => found === name)?.slice(1) ?? [];
  const [gravity, xOffset, yOffset] = find('gravity');
  const quality = numberOf(find('quality')[0]);
  return omitUndefined({
    height: clamped(integerOf(numberOf(find('height')[0])), limits),
    width: clamped(integerOf(numberOf(find('width')[0])), limits),
    resize: memberOf(RESIZES, find('resize')[0]),
    format: memberOf(FORMATS, find('format')[0]),
    quality: quality === undefined ? undefined : Math.min(Math.max(quality, QUALITY.min), QUALITY.max),
    gravity: memberOf(GRAVITIES, gravity),
    xOffset: numberOf(xOffset),
    yOffset: numberOf(yOffset),
  });
}

/** Value of the response header `X-Transformations`. */
export function transformationsHeader(transform: Transform): string {
  const { height, width, resize = 'cover', quality } = transform;
  return [
    ...formatField('height', height),
    ...formatField('width', width),
    ...formatField(
      'resizing_type',
      height === undefined && width === undefined ? undefined : RESIZING_TYPES[resize],
    ),
    ...formatField('quality', quality),
    ...formatField('format', formatOf(transform)),
    ...gravityTexts(transform),
  ].join(',');
}

function formatOf({ format }: Transform): string | undefined {
  return format === 'origin' ? undefined : format;
}

function gravityTexts({ gravity, xOffset, yOffset }: Transform): string[] {
  if (gravity === undefined) return [];
  if (gravity === 'sm' || (xOffset === undefined && yOffset === undefined)) return [`gravity:${gravity}`];
  return [`gravity:${gravity}:${xOffset ?? 0}:${yOffset ?? 0}`];
}

function formatField(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${name}:${value}`];
}

/** Treats a size of 0 as undefined. */
function clamped(value: number | undefined, { minSize, maxSize }: SizeLimits): number | undefined {
  if (value === undefined || value === 0) return undefined;
  return Math.min(Math.max(value, minSize, 1), maxSize);
}

function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function integerOf(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : Math.trunc(value);
}

function memberOf<const T extends string>(members: readonly T[], text: unknown): T | undefined {
  return members.find((member) => member === text);
}

type Sparse<T> = { [Name in keyof T]: T[Name] | undefined };

function omitUndefined(transform: Sparse<Required<Transform>>): Transform {
  return Object.fromEntries(Object.entries(transform).filter(([, value]) => value !== undefined));
}
