import sharp, { type OverlayOptions } from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type PoolJob, RenderPool, type RenderPoolOptions } from './render-pool.ts';

const INVALID = 'The source image is invalid or unsupported for rendering';
const SIZE = { width: 80, height: 40 };
/** An image whose left half is red and whose right half is blue. */
const image = () =>
  sharp({ create: { ...SIZE, channels: 3, background: 'red' } }).composite([
    { input: { create: { width: 40, height: 40, channels: 3, background: 'blue' } }, left: 40, top: 0 },
  ] satisfies OverlayOptions[]);
const jpeg = await image().jpeg().toBuffer();
const noise = await sharp({
  create: { ...SIZE, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 100, sigma: 30 } },
})
  .png()
  .toBuffer();
const svg = (content: string, attributes = 'width="20" height="10"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);

async function animated(type: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['red', 'blue', 'green'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    [type]()
    .toBuffer();
}

const opened: RenderPool[] = [];
function openPool(options: Partial<RenderPoolOptions> = {}): RenderPool {
  const pool = new RenderPool(options);
  opened.push(pool);
  return pool;
}
const shared = new RenderPool();
afterEach(() => {
  for (const pool of opened.splice(0)) pool.close();
});
afterAll(() => shared.close());

function jobOf(source: Uint8Array, job: Partial<PoolJob> = {}): PoolJob {
  return { loadSource: async () => source, transform: {}, type: 'origin', ...job };
}

async function rendered(source: Uint8Array, job: Partial<PoolJob> = {}) {
  const { data, mediaType } = await shared.render(jobOf(source, job));
  const { width, height, pageHeight, pages = 1 } = await sharp(data, { pages: -1 }).metadata();
  return { mediaType, width, height: pageHeight ?? height, pages };
}

/** Returns the colours in the middle of the left and the right half. */
async function colours(data: Uint8Array) {
  const { data: pixels, info } = await sharp(data).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2) * info.width;
  return [0.25, 0.75].map((part) => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray((row + Math.floor(info.width * part)) * 3);
    return red > 200 ? 'red' : blue > 200 ? 'blue' : `${red} ${green} ${blue}`;
  });
}

describe('types', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)('keeps the type %s', async (type) => {
    const source = await image()[type]().toBuffer();
    expect(await rendered(source, { transform: { width: 40 } })).toEqual({
      mediaType: `image/${type}`,
      width: 40,
      height: 20,
      pages: 1,
    });
  });

  it.each(['webp', 'avif'] as const)('converts to %s', async (type) => {
    expect(await rendered(jpeg, { type })).toEqual({ mediaType: `image/${type}`, ...SIZE, pages: 1 });
  });

  it('rasterises vector images in the requested size', async () => {
    const source = svg(
      '<rect width="10" height="10" fill="red"/><rect x="10" width="10" height="10" fill="blue"/>',
    );
    const { data, mediaType } = await shared.render(jobOf(source, { transform: { width: 200 } }));
    expect(mediaType).toBe('image/png');
    expect(await sharp(data).metadata()).toMatchObject({ width: 200, height: 100 });
    expect(await colours(data)).toEqual(['red', 'blue']);
  });

  it.each([
    ['gif', 'origin', { width: 20 }, 'image/gif', 3],
    ['gif', 'webp', { width: 20 }, 'image/webp', 3],
    ['webp', 'origin', { width: 20 }, 'image/webp', 3],
    ['gif', 'avif', { width: 20 }, 'image/gif', 3],
    ['gif', 'avif', { width: 20, format: 'avif' }, 'image/avif', 1],
  ] as const)('renders an animated %s as %s with %j', async (from, type, transform, mediaType, pages) => {
    const source = await animated(from);
    expect(await rendered(source, { type, transform })).toEqual({ mediaType, width: 20, height: 15, pages });
  });

  it('crops animated images frame by frame', async () => {
    const transform = { width: 15, height: 15, gravity: 'sm' } as const;
    expect(await rendered(await animated('gif'), { transform })).toMatchObject({
      width: 15,
      height: 15,
      pages: 3,
    });
  });
});

describe('an image', () => {
  it.each([
    ['we', ['red', 'red']],
    ['ea', ['blue', 'blue']],
    ['ce', ['red', 'blue']],
  ] as const)('is cropped with gravity %s', async (gravity, expected) => {
    const { data } = await shared.render(jobOf(jpeg, { transform: { width: 40, height: 40, gravity } }));
    expect(await colours(data)).toEqual(expected);
  });

  it('is cropped to its salient area', async () => {
    const transform = { width: 40, height: 40, gravity: 'sm' } as const;
    expect(await rendered(jpeg, { transform })).toMatchObject({ width: 40, height: 40 });
  });

  it('is rotated by its EXIF orientation and loses its location metadata', async () => {
    const source = await image()
      .withExif({ IFD0: { Copyright: 'a secret' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(source).metadata()).orientation).toBe(6);
    const { data } = await shared.render(jobOf(source, { transform: { width: 20 } }));
    const metadata = await sharp(data).metadata();
    expect(metadata).toMatchObject({ width: 20, height: 40 });
    expect([metadata.orientation, metadata.exif]).toEqual([undefined, undefined]);
  });

  it('has the requested quality', async () => {
    const sizes = await Promise.all(
      [20, 100].map(async (quality) => {
        const { data } = await shared.render(jobOf(noise, { type: 'webp', transform: { quality } }));
        return data.length;
      }),
    );
    expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
  });
});

describe('a damaged image', () => {
  /** Flips a byte of the checksum in front of a chunk. */
  const withChecksumError = (png: Buffer, chunk: string) => {
    const damaged = Buffer.from(png);
    const checksum = damaged.indexOf(chunk) - 5;
    damaged[checksum] = (damaged[checksum] ?? 0) ^ 0xff;
    return damaged;
  };

  it.each([
    ['a truncated JPEG', 'image/jpeg', jpeg.subarray(0, jpeg.length - 20)],
    ['a truncated PNG', 'image/png', noise.subarray(0, noise.length / 2)],
    ['a PNG with a wrong checksum of its header', 'image/png', withChecksumError(noise, 'IDAT')],
    ['a PNG with a wrong checksum of its pixels', 'image/png', withChecksumError(noise, 'IEND')],
  ])('is rendered if it is %s', async (_name, mediaType, source) => {
    const transform = { width: 40 };
    expect(await rendered(source, { transform })).toMatchObject({ mediaType, width: 40, height: 20 });
  });

  it('keeps the part of a truncated JPEG that can be decoded', async () => {
    const { data } = await shared.render(jobOf(jpeg.subarray(0, jpeg.length - 2)));
    expect(await colours(data)).toEqual(['red', 'blue']);
  });
});

describe('an image source', () => {
  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('not an image')],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>')],
    ['a JPEG without pixels', jpeg.subarray(0, 100)],
    ['a GIF without pixels', Buffer.from('474946383961500028000000000000', 'hex')],
    ['an unsupported kind of HEIF', Buffer.from('00000010667479706d69663100000000', 'hex')],
    [
      'a truncated PNG header',
      Buffer.from('89504e470d0a1a0a0000000d49484452ffffffffffffffff0806000000', 'hex'),
    ],
    ['an unclosed drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5">')],
    [
      'a drawing with exponentially nested entities',
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1000)}">${[...'bcdefgh']
          .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(20)}">`)
          .join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&h;</text></svg>`,
      ),
    ],
  ])('is rejected if it is %s', async (_name, source) => {
    await expect(shared.render(jobOf(source))).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: INVALID,
    });
  });

  it('is rejected if it has too many pixels', async () => {
    await expect(shared.render(jobOf(svg('', 'width="50000" height="50000"')))).rejects.toThrow(
      'The source image resolution is too large to process',
    );
  });

  it('is rejected if it takes too long to render', async () => {
    const filters =
      '<feTurbulence baseFrequency="0.05" numOctaves="200"/><feGaussianBlur stdDeviation="99"/>';
    const bomb = svg(
      `<filter id="f">${filters.repeat(50)}</filter><rect width="2000" height="2000" filter="url(#f)"/>`,
      'width="2000" height="2000"',
    );
    const pool = openPool({ renderMs: 1000 });
    await expect(pool.render(jobOf(bomb))).rejects.toThrow('The source image takes too long to process');
    // The process was killed, so the next job starts a new process.
    const typeOfNext = () => pool.render(jobOf(jpeg)).then(({ mediaType }) => mediaType, String);
    await expect.poll(typeOfNext).toBe('image/jpeg');
  });
});

it('vector images cannot load files or network resources', async () => {
  const file = new URL('render-pool.test.png', import.meta.url);
  await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } }).toFile(file.pathname);
  const { rm } = await import('node:fs/promises');
  try {
    const references = [file.href, file.pathname, 'render-pool.test.png', 'http://127.0.0.1:1/a.png'];
    for (const reference of references) {
      const { data } = await shared.render(
        jobOf(svg(`<image href="${reference}" width="20" height="10"/><use href="${reference}#a"/>`)),
      );
      expect(await colours(data)).not.toContain('red');
    }
    // A vector image can contain an image only by embedding it.
    const inside = `data:image/png;base64,${(await sharp(file.pathname).toBuffer()).toString('base64')}`;
    const { data } = await shared.render(jobOf(svg(`<image href="${inside}" width="20" height="10"/>`)));
    expect(await colours(data)).toEqual(['red', 'red']);
  } finally {
    await rm(file);
  }
});

describe('a pool', () => {
  it('limits concurrency and fetches a source only when its job starts', async () => {
    const pool = openPool({ maxConcurrent: 2 });
    let [loading, loaded, maximum] = [0, 0, 0];
    const go = Promise.withResolvers<void>();
    const loadSource = async () => {
      loading += 1;
      maximum = Math.max(maximum, loading);
      await go.promise;
      loading -= 1;
      loaded += 1;
      return jpeg;
    };
    const jobs = Array.from({ length: 5 }, () => pool.render(jobOf(jpeg, { loadSource })));
    await expect.poll(() => loading).toBe(2);
    go.resolve();
    const images = await Promise.all(jobs);
    expect(images.map(({ mediaType }) => mediaType)).toEqual(Array(5).fill('image/jpeg'));
    expect([loaded, maximum]).toEqual([5, 2]);
  });

  it('rejects jobs when too many are waiting', async () => {
    const pool = openPool({ maxConcurrent: 1, maxWaiting: 1 });
    const go = Promise.withResolvers<void>();
    const loadSource = () => go.promise.then(() => jpeg);
    const served = [pool.render(jobOf(jpeg, { loadSource })), pool.render(jobOf(jpeg))];
    await expect(pool.render(jobOf(jpeg))).rejects.toMatchObject({ code: 'SlowDown', status: 503 });
    go.resolve();
    await Promise.all(served);
    await expect(pool.render(jobOf(jpeg))).resolves.toMatchObject({ mediaType: 'image/jpeg' });
  });

  it('rejects jobs that have waited too long', async () => {
    const pool = openPool({ maxConcurrent: 1, maxWaitMs: 1 });
    const go = Promise.withResolvers<void>();
    const served = pool.render(jobOf(jpeg, { loadSource: () => go.promise.then(() => jpeg) }));
    await expect(pool.render(jobOf(jpeg))).rejects.toMatchObject({ code: 'SlowDown' });
    go.resolve();
    await served;
  });

  it('rejects a job whose source cannot be loaded, and continues', async () => {
    const pool = openPool({ maxConcurrent: 1 });
    const loadSource = () => Promise.reject(new Error('no such content'));
    await expect(pool.render(jobOf(jpeg, { loadSource }))).rejects.toThrow('no such content');
    await expect(pool.render(jobOf(jpeg))).resolves.toMatchObject({ mediaType: 'image/jpeg' });
  });

  it('replaces its process after the idle time', async () => {
    const pool = openPool({ maxConcurrent: 1, idleMs: 1 });
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(pool.render(jobOf(jpeg))).resolves.toMatchObject({ mediaType: 'image/jpeg' });
    }
  });

  it('rejects all jobs after it was closed', async () => {
    const pool = openPool({ maxConcurrent: 1 });
    const jobs = [pool.render(jobOf(jpeg)), pool.render(jobOf(jpeg))];
    const outcomes = Promise.allSettled(jobs);
    pool.close();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SlowDown' } });
    }
    await expect(pool.render(jobOf(jpeg))).rejects.toMatchObject({ code: 'SlowDown' });
  });
});
