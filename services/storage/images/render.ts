/**
 * Renders one image with sharp (libvips) in a render process, see render-process.ts. Only a short allowlist of decoders
 * is enabled, which decode from memory and neither open files nor access the network.
 */
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { type Geometry, planGeometry, type Size } from './geometry.ts';
import type { Refusal, RenderJob, RenderOutcome } from './render-job.ts';
import type { Transform } from './transform.ts';

/** Most pixels of a source, summed over all frames. */
const MAX_PIXELS = 50_000_000;
const DEFAULT_QUALITY = 80;
/** Looks as good as quality 80 of the other formats. */
const DEFAULT_AVIF_QUALITY = 55;
/** From 0 to 9. Higher values take several times as long and save a few percent. */
const AVIF_EFFORT = 1;
/** Dots per inch at which a vector image has its nominal size. */
const VECTOR_DENSITY = 72;

const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg'].map(
  (name) => `VipsForeignLoad${name}Buffer`,
);

type OutputType = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff';

/** Output type that keeps the source's format, by sharp's name of that format. */
const ORIGINS: Readonly<Record<string, OutputType>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tiff',
  heif: 'avif',
  // Rasterised, so that the output cannot contain scripts.
  svg: 'png',
};

/** Restricts sharp to the allowed decoders and one thread. Call it once, before the first image. */
export function restrictSharp(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
}

/** Renders a job. Never rejects: returns every error of an image as a refusal. */
export async function render(job: RenderJob): Promise<RenderOutcome> {
  try {
    return await renderReadable(job);
  } catch (error) {
    return { kind: 'refused', refusal: refusalOf(error as Error) };
  }
}

async function renderReadable({ source, transform, type, seconds }: RenderJob): Promise<RenderOutcome> {
  const metadata = await sharp(source, OPTIONS).metadata();
  const origin = ORIGINS[metadata.format];
  if (origin === undefined) return { kind: 'refused', refusal: 'unreadable' };
  const isAnimated = (metadata.pages ?? 1) > 1 && (origin === 'gif' || origin === 'webp');
  // Animation takes precedence over AVIF that the client merely accepts.
  const requested = isAnimated && type === 'avif' && transform.format === undefined ? 'origin' : type;
  const output = requested === 'origin' ? origin : requested;
  const preservesFrames = isAnimated && (output === 'gif' || output === 'webp');

  const isVector = metadata.format === 'svg';
  const size = sizeOf(metadata);
  const geometry = planGeometry(size, transform, isVector);
  const image = sharp(source, {
    ...OPTIONS,
    ...(preservesFrames ? { pages: -1 } : {}),
    ...(isVector ? { density: densityFor(size, geometry.scaled, metadata) } : {}),
  });
  arrange(image.autoOrient(), geometry, transform, preservesFrames);
  const { data, info } = await encode(image, output, transform).timeout({ seconds }).toBuffer({
    resolveWithObject: true,
  });
  return { kind: 'rendered', data, mediaType: `image/${info.format === 'heif' ? 'avif' : info.format}` };
}

/**
 * Renders damaged images as far as they can be decoded, like the renderer of the hosted service: the bottom of a
 * truncated JPEG is grey, and wrong checksums of a PNG are ignored.
 */
const OPTIONS: SharpOptions = { failOn: 'none', limitInputPixels: MAX_PIXELS };

/** Size after rotation by the EXIF orientation, and of one frame. */
function sizeOf({ width, height, pageHeight, autoOrient }: Metadata): Size {
  const upright = autoOrient ?? { width, height };
  return { width: upright.width, height: pageHeight ?? upright.height };
}

/** Density at which a vector image is rasterised directly in the requested size. */
function densityFor(source: Size, scaled: Size, { density = VECTOR_DENSITY }: Metadata): number {
  const factor = Math.max(scaled.width / source.width, scaled.height / source.height);
  return Math.min(Math.max(density * factor, 1), 100_000);
}

function arrange(
  image: Sharp,
  { scaled, cropped }: Geometry,
  transform: Transform,
  isAnimated: boolean,
): void {
  if (cropped !== undefined && transform.gravity === 'sm' && !isAnimated && transform.resize !== 'fill') {
    const { width, height } = cropped;
    image.resize({ width, height, fit: 'cover', position: 'attention' });
    return;
  }
  image.resize({ ...scaled, fit: 'fill' });
  if (cropped !== undefined) image.extract(cropped);
}

function encode(image: Sharp, type: OutputType, transform: Transform): Sharp {
  const { quality = type === 'avif' ? DEFAULT_AVIF_QUALITY : DEFAULT_QUALITY } = transform;
  switch (type) {
    case 'jpeg':
      return image.jpeg({ quality });
    case 'webp':
      return image.webp({ quality });
    case 'avif':
      return image.avif({ quality, effort: AVIF_EFFORT });
    case 'tiff':
      return image.tiff({ compression: 'deflate' });
    case 'gif':
      return image.gif({ effort: 4 });
    case 'png':
      return image.png();
  }
}

function refusalOf({ message }: Error): Refusal {
  if (/exceeds pixel limit/i.test(message)) return 'too-many-pixels';
  return /^timeout:/i.test(message) ? 'too-slow' : 'unreadable';
}
