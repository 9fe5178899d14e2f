/** Requests hits from the browser. */
import { withBase } from '../../../lib/page/base-path.ts';
import { readPage } from '../../../lib/page/page-context.tsx';
import type { HitAnswer, HitProblem } from './hit-search.ts';
import { HITS_PATH, type Hits, QUERY_PARAMETER } from './hits.ts';

/** Requests the hits of a text. Failures are answers, too. Rejects only with the reason of the signal. */
export async function requestHits(query: string, signal: AbortSignal): Promise<HitAnswer> {
  const path = withBase(HITS_PATH, readPage().config.baseURL);
  try {
    const url = `${path}?${new URLSearchParams({ [QUERY_PARAMETER]: query })}`;
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } });
    const problem = problemOf(response);
    if (problem) return { type: 'failed', query, problem };
    return { type: 'found', query, hits: (await response.json()) as Hits };
  } catch {
    signal.throwIfAborted();
    return { type: 'failed', query, problem: 'offline' };
  }
}

/** The guard redirects visitors without a session to the sign-in page. */
function problemOf({ ok, redirected, status }: Response): HitProblem | undefined {
  if (redirected || status === 403) return 'refused';
  return ok ? undefined : 'failed';
}
