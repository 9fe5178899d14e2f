/** Measures functions whose processes run, compared with bare Deno on a Unix socket. */
import { join } from 'node:path';
import { type Figure, rateText } from '../measure/figure.ts';
import { measureAlternately, startLoad } from '../measure/load-process.ts';
import { startBareDeno } from './bare-deno.ts';

const ROUNDS = { rounds: 5, ms: 1000 };
const CONCURRENCIES = [1, 16];
const MAX_OVERHEAD_MS = 1;

/** A running instance. */
interface WarmOptions {
  url: string;
  keys: Readonly<Record<string, string>>;
  /** Folder for the files of the reference. */
  folder: string;
}

/** Calls `hello` with a token, which is verified. */
export async function benchWarmAnswers({ url, keys, folder }: WarmOptions): Promise<Figure[]> {
  const bare = await startBareDeno(folder);
  const headers = { authorization: `Bearer ${keys.ANON_KEY}` };
  const figures: Figure[] = [];
  for (const concurrency of CONCURRENCIES) {
    const [reference, own] = await measureAlternately(
      [
        start({ url: bare.url, target: '/', headers, concurrency }),
        start({ url, target: '/functions/v1/hello', headers, concurrency }),
      ],
      ROUNDS,
    );
    if (reference === undefined || own === undefined) throw new Error('a load has no result');
    const overhead = own.p50Ms - reference.p50Ms;
    const name = `hello, ${concurrency} at once`;
    figures.push(
      { name: `${name}: bare Deno`, value: rateText(reference) },
      {
        name,
        value: rateText(own),
        ratio: { of: 'bare Deno', share: own.perSecond / reference.perSecond },
        ...(concurrency === 1 && {
          target: {
            text: `p50 at most ${MAX_OVERHEAD_MS} ms more (${overhead.toFixed(2)} ms)`,
            met: overhead <= MAX_OVERHEAD_MS,
          },
        }),
      },
    );
  }
  await bare.stop();
  return figures;
}

function start(input: object) {
  return startLoad(join(import.meta.dirname, '../load/raw-get.ts'), input);
}
