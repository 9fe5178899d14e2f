/**
 * A folder in the cluster through which a recovering server receives the segments of its log. The server runs a shell
 * command for each segment; the command moves the file out of the folder, or requests it and waits. Segments after the
 * last requested one are prepared in advance, so that the server rarely waits.
 */
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseSegmentName, SEGMENT_BYTES, segmentName } from '../../replication/lsn.ts';
import type { Lsn } from '../../replication/wal-message.ts';
import type { RunAs } from '../run-as.ts';

/** In the folder of the cluster, which is the working directory of the command. */
const FOLDER = 'greenroom.recovery';
const WANTED = '.wanted';
const NONE = '.none';
const PARTIAL = '.partial';
/** Segments that are prepared in advance. */
const PREPARED = 4;
const POLL_MS = 10;
/** The command gives up after this number of waits of 20 ms: the process that provides the segments was killed. */
const MAX_WAITS = 30_000;

/**
 * The value of `restore_command`. It exits with 1 if the log has no such segment, and with 255, which ends the recovery, if
 * none can be provided. A cluster is recovered on its own timeline, so it needs no history of others. Only the existence of
 * their files matters: PostgreSQL continues on a timeline after them.
 */
export const RESTORE_COMMAND = [
  `case %f in *.history) if [ -f ${FOLDER}/%f ]; then exec cp ${FOLDER}/%f %p; fi; exit 1;; esac`,
  `f=${FOLDER}/%f; n=0`,
  `while [ -d ${FOLDER} ] && [ $n -lt ${MAX_WAITS} ]; do`,
  'if [ -f $f ]; then exec mv $f %p; fi',
  `if [ -f $f${NONE} ]; then exit 1; fi`,
  `[ -f $f${WANTED} ] || : > $f${WANTED}`,
  'n=$((n+1)); sleep 0.02',
  'done; exit 255',
].join('\n');

/** Returns a segment of 16 MiB; undefined if the log ends before it. Can be called for any segment, in any order. */
export type ReadSegment = (timeline: number, start: Lsn) => Promise<Buffer | undefined>;

/** Options of {@link openSegmentFolder}. */
interface SegmentFolderOptions {
  cluster: string;
  runAs: RunAs | undefined;
  readSegment: ReadSegment;
  /** Timelines that are in use elsewhere. */
  takenTimelines: readonly number[];
}

/** The folder while a server recovers. */
interface SegmentFolder {
  /** Rejects if a segment cannot be provided; never resolves. */
  readonly failed: Promise<never>;
  /** Removes the folder, which ends waiting commands. */
  close(): Promise<void>;
}

/** Creates the folder and provides segments until it is closed. */
export async function openSegmentFolder(options: SegmentFolderOptions): Promise<SegmentFolder> {
  const { cluster, runAs, takenTimelines } = options;
  const folder = join(cluster, FOLDER);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  if (runAs) await chown(folder, runAs.uid, runAs.gid);
  for (const timeline of takenTimelines)
    await writeFile(join(folder, `${timelineText(timeline)}.history`), '', { mode: 0o644 });
  const provider = new SegmentProvider(folder, options);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const closed = new AbortController();
  const running = (async () => {
    while (!closed.signal.aborted) {
      await provider.provide();
      await sleep(POLL_MS, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  })().catch(failure.reject);
  return {
    failed: failure.promise,
    async close() {
      closed.abort();
      await running;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function timelineText(timeline: number): string {
  return timeline.toString(16).toUpperCase().padStart(8, '0');
}

class SegmentProvider {
  readonly #folder: string;
  readonly #runAs: RunAs | undefined;
  readonly #readSegment: ReadSegment;
  /** Files in the folder that the server has not taken yet. */
  readonly #prepared = new Set<string>();
  /** The newest segment that the server has taken or requested. */
  #newest: { timeline: number; start: Lsn } | undefined;
  /** The first segment after the end of the log. */
  #end: Lsn | undefined;

  constructor(folder: string, { runAs, readSegment }: SegmentFolderOptions) {
    this.#folder = folder;
    this.#runAs = runAs;
    this.#readSegment = readSegment;
  }

  /** Provides the segments that are requested now, and one in advance. */
  async provide(): Promise<void> {
    const names = new Set(await readdir(this.#folder));
    for (const name of this.#prepared) {
      if (names.has(name)) continue;
      this.#prepared.delete(name);
      this.#advanceTo(name);
    }
    const wanted = [...names]
      .filter((name) => name.endsWith(WANTED))
      .map((name) => name.slice(0, -WANTED.length));
    for (const name of wanted) {
      this.#advanceTo(name);
      if (!(await this.#prepare(name))) await writeFile(join(this.#folder, name + NONE), '');
      await rm(join(this.#folder, name + WANTED), { force: true });
    }
    if (wanted.length === 0) await this.#prepareNext();
  }

  #advanceTo(name: string): void {
    const segment = parseSegmentName(name);
    if (segment !== undefined && (this.#newest === undefined || segment.start > this.#newest.start))
      this.#newest = segment;
  }

  async #prepareNext(): Promise<void> {
    if (this.#newest === undefined) return;
    const { timeline, start } = this.#newest;
    for (let ahead = 1; ahead <= PREPARED; ahead++) {
      const next = start + BigInt(ahead * SEGMENT_BYTES);
      if (this.#end !== undefined && next >= this.#end) return;
      const name = segmentName(timeline, next);
      if (this.#prepared.has(name)) continue;
      if (!(await this.#prepare(name))) this.#end = next;
      return;
    }
  }

  /** Writes a segment; returns false if the log has none. Names that are no segment are not in the log. */
  async #prepare(name: string): Promise<boolean> {
    const segment = parseSegmentName(name);
    if (segment === undefined) return false;
    if (this.#prepared.has(name)) return true;
    const content = await this.#readSegment(segment.timeline, segment.start);
    if (content === undefined) return false;
    const path = join(this.#folder, name);
    await writeFile(path + PARTIAL, content, { mode: 0o600 });
    if (this.#runAs) await chown(path + PARTIAL, this.#runAs.uid, this.#runAs.gid);
    await rename(path + PARTIAL, path);
    this.#prepared.add(name);
    return true;
  }
}
