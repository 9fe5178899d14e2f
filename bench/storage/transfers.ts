/** Measures uploads and downloads in three sizes, compared with bare streams to and from the same disk. */
import { join } from 'node:path';
import type { TransferInput } from '../load/transfer.ts';
import { type Figure, rateText } from '../measure/figure.ts';
import type { Rate } from '../measure/load.ts';
import { measureAlternately, startLoad } from '../measure/load-process.ts';
import { BUCKET, type Fixture, post } from './fixture.ts';

const MEGABYTE = 1000 * 1000;
const SIZES = [
  { name: '4 KB', bytes: 4096, concurrency: 16, rounds: { rounds: 3, ms: 2000 }, up: 0.5, down: 0.35 },
  { name: '1 MB', bytes: MEGABYTE, concurrency: 4, rounds: { rounds: 3, ms: 2000 } },
  {
    name: '100 MB',
    bytes: 100 * MEGABYTE,
    concurrency: 1,
    rounds: { rounds: 4, ms: 3000 },
    up: 0.8,
    down: 0.8,
  },
];
type Size = (typeof SIZES)[number];

/** Runs all transfers. Downloads use signed links. */
export async function benchTransfers(fixture: Fixture): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of SIZES) {
    const { bytes, concurrency } = size;
    const name = `${bytes}-`;
    const object = `${fixture.url}/object/${BUCKET}/${name}`;
    const sizes = { bytes, concurrency };
    const up = [
      { direction: 'up', url: `${fixture.bareUrl}/${name}`, headers: {}, ...sizes },
      { direction: 'up', url: object, headers: fixture.headers, ...sizes },
    ] as const;
    figures.push(...(await compare(`${size.name} up`, up, size, size.up)));
    const path = `/object/sign/${BUCKET}/${name}0`;
    const { signedURL } = (await post(fixture, path, { expiresIn: 3600 })) as { signedURL: string };
    const down = [
      { direction: 'down', url: `${fixture.bareUrl}/${name}0`, headers: {}, ...sizes },
      { direction: 'down', url: fixture.url + signedURL, headers: {}, ...sizes },
    ] as const;
    figures.push(...(await compare(`${size.name} down`, down, size, size.down)));
  }
  return figures;
}

async function compare(
  name: string,
  inputs: readonly TransferInput[],
  { bytes, rounds }: Size,
  targetShare: number | undefined,
): Promise<Figure[]> {
  const script = join(import.meta.dirname, '../load/transfer.ts');
  const loads = inputs.map((input) => startLoad(script, input));
  const [bare, own] = await measureAlternately(loads, rounds);
  if (bare === undefined || own === undefined) throw new Error('a load has no result');
  const share = own.perSecond / bare.perSecond;
  const text = (rate: Rate) => `${((rate.perSecond * bytes) / MEGABYTE).toFixed(1)} MB/s  ${rateText(rate)}`;
  return [
    { name: `${name}: bare stream`, value: text(bare) },
    {
      name,
      value: text(own),
      ratio: { of: 'the bare stream', share },
      ...(targetShare !== undefined && {
        target: { text: `at least ${targetShare * 100} %`, met: share >= targetShare },
      }),
    },
  ];
}
