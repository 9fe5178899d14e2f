/**
 * Measures the growth of the server's memory during the upload and the download of one large object; also by the S3
 * protocol.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3TransferInput } from '../load/s3-transfer.ts';
import type { TransferInput } from '../load/transfer.ts';
import type { Figure } from '../measure/figure.ts';
import { startLoad } from '../measure/load-process.ts';
import { BUCKET, type Fixture, openFixture } from './fixture.ts';

const GIGABYTE = 1000 ** 3;
const BYTES = Math.round(Number(process.env.BENCH_TRANSFER_GB ?? 2) * GIGABYTE);
const WARM_UP_BYTES = GIGABYTE / 10;
const POLL_MS = 50;
const TARGET_MB = 100;
const PARTS_RUNS = 3;

/** Returns no figures on systems without /proc. */
export async function benchTransferMemory(fixture: Fixture): Promise<Figure[]> {
  if (process.platform !== 'linux') return [];
  const figures: Figure[] = [];
  for (const direction of ['up', 'down'] as const) {
    const object = `${fixture.url}/object/${BUCKET}/large-${direction === 'down' ? 0 : ''}`;
    const input = { direction, url: object, headers: fixture.headers, concurrency: 1 };
    // The first large upload starts a thread, which remains.
    if (direction === 'up') await transfer('transfer.ts', { ...input, bytes: WARM_UP_BYTES });
    const name = `memory, ${BYTES / GIGABYTE} GB ${direction}`;
    figures.push(await figure(fixture, name, () => transfer('transfer.ts', { ...input, bytes: BYTES })));
  }
  return figures;
}

/**
 * Measures the S3 protocol on newly started instances without a warm-up. Uploads in parts are repeated, because their
 * memory depends on when garbage is collected.
 */
export async function benchS3Memory(): Promise<Figure[]> {
  if (process.platform !== 'linux') return [];
  const figures: Figure[] = [];
  const parts = Array.from({ length: PARTS_RUNS }, () => ['up in parts'] as const);
  for (const kinds of [['up', 'down', 'copy'] as const, ...parts]) {
    await using fixture = await openFixture();
    const keys = fixture.s3Keys;
    const target = { url: `${fixture.url}/s3`, keys, bucket: BUCKET, key: 'large', bytes: BYTES };
    for (const kind of kinds) {
      const name = `memory, ${BYTES / GIGABYTE} GB ${kind}, S3 protocol`;
      const input: S3TransferInput = { kind, ...target };
      figures.push(await figure(fixture, name, () => transfer('s3-transfer.ts', input)));
    }
  }
  return figures;
}

async function figure(fixture: Fixture, name: string, work: () => Promise<void>): Promise<Figure> {
  const before = await residentMb(fixture);
  const { peak, seconds } = await peakMb(fixture, work);
  const grown = peak - before;
  return {
    name,
    value: `${Math.round(grown)} MB more than ${Math.round(before)} MB, at ${Math.round(BYTES / 1e6 / seconds)} MB/s`,
    target: { text: `under ${TARGET_MB} MB more`, met: grown < TARGET_MB },
  };
}

async function transfer(script: string, input: TransferInput | S3TransferInput): Promise<void> {
  const load = startLoad(join(import.meta.dirname, '../load', script), input);
  await load.run(1);
  await load.stop();
}

async function peakMb(
  fixture: Fixture,
  work: () => Promise<void>,
): Promise<{ peak: number; seconds: number }> {
  let peak = 0;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await residentMb(fixture));
  }, POLL_MS);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { peak, seconds: (performance.now() - startedAt) / 1000 };
}

async function residentMb({ instance }: Fixture): Promise<number> {
  const status = await readFile(`/proc/${instance.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
