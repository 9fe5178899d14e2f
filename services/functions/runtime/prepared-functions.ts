/** Remembers prepared functions while their files are unchanged, because their preparation runs Deno. */
import type { ProjectFunction } from '@greenroom/project';
import { stampsOf } from '../source/file-stamps.ts';
import type { PreparedFunction } from '../source/prepared-function.ts';

/** Prepares the files of a function as they are now. */
export type Prepare = (source: ProjectFunction, options?: PrepareOptions) => Promise<PreparedFunction>;

/** Options of a preparation. */
interface PrepareOptions {
  /** Whether other processes have priority. Default: false. */
  isBackground?: boolean;
}

interface Known {
  /** The settings of the function, as text. */
  source: string;
  prepared: PreparedFunction;
  stamp: string;
}

/** Returns a function that prepares a function once per version, and one at a time: both write to its folder. */
export function rememberPrepared(prepare: Prepare): Prepare {
  const known = new Map<string, Known>();
  const last = new Map<string, Promise<unknown>>();

  async function prepareNow(source: ProjectFunction, options?: PrepareOptions): Promise<PreparedFunction> {
    const former = known.get(source.name);
    const text = JSON.stringify(source);
    if (former?.source === text && former.stamp === (await stampsOf(former.prepared.inputs)).text)
      return former.prepared;
    const startedAt = Date.now();
    const prepared = await prepare(source, options);
    const stamps = await stampsOf(prepared.inputs);
    // The copy may be older than a file that has changed meanwhile.
    if (stamps.changedAtMs < startedAt)
      known.set(source.name, { source: text, prepared, stamp: stamps.text });
    return prepared;
  }

  return (source, options) => {
    const next = (last.get(source.name) ?? Promise.resolve()).then(() => prepareNow(source, options));
    last.set(
      source.name,
      next.catch(() => undefined),
    );
    return next;
  };
}
