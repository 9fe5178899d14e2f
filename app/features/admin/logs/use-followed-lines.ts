/** Follows the log while the page is open, and reconnects after a loss of the connection. */
import { useEffect, useRef, useState } from 'react';
import { backoffDelay } from '../../../lib/backoff.ts';
import { withBase } from '../../../lib/page/base-path.ts';
import { usePage } from '../../../lib/page/page-context.tsx';
import { readJsonLines } from './line-stream.ts';
import { addFollowed, type LogLine } from './log-lines.ts';
import { LOGS } from './selection.ts';

/** State of the connection. `refused`: the session or the role of an administrator has ended. */
type FollowState = 'off' | 'connecting' | 'live' | 'refused';

/** The lines since the connection, oldest first. */
interface Followed {
  state: FollowState;
  lines: readonly LogLine[];
  /** Lines that this page was too slow to receive. */
  missed: number;
}

/** A part of the stream. */
type Part = LogLine | { ready: true } | { missed: number };

const NOTHING: Followed = { state: 'off', lines: [], missed: 0 };

/**
 * Follows the lines of a filter.
 * @param search the filter as the query of the page; undefined follows nothing
 * @param onReady called when the connection is open: lines that were written before it must be loaded
 */
export function useFollowedLines(search: string | undefined, onReady: () => void): Followed {
  const { baseURL } = usePage().config;
  const [followed, setFollowed] = useState(NOTHING);
  const ready = useRef(onReady);
  ready.current = onReady;
  useEffect(() => {
    setFollowed(search === undefined ? NOTHING : { ...NOTHING, state: 'connecting' });
    if (search === undefined) return;
    const controller = new AbortController();
    const use = (parts: unknown[]) => {
      for (const part of parts as Part[]) if ('ready' in part) ready.current();
      setFollowed((current) => withParts(current, parts as Part[]));
    };
    const url = withBase(`${LOGS}/tail?${search}`, baseURL);
    void followUntilRefused(url, controller.signal, { use, setFollowed });
    return () => controller.abort();
  }, [search, baseURL]);
  return followed;
}

function withParts(current: Followed, parts: readonly Part[]): Followed {
  const lines = parts.filter((part): part is LogLine => 'id' in part);
  const missed = parts.reduce((sum, part) => sum + ('missed' in part ? part.missed : 0), current.missed);
  return { state: 'live', lines: addFollowed(current.lines, lines), missed };
}

async function followUntilRefused(
  url: string,
  signal: AbortSignal,
  handlers: { use(parts: unknown[]): void; setFollowed(change: (current: Followed) => Followed): void },
): Promise<void> {
  let failures = 0;
  const setState = (state: FollowState) => handlers.setFollowed((current) => ({ ...current, state }));
  while (!signal.aborted) {
    const outcome = await follow(url, signal, (parts) => {
      failures = 0;
      handlers.use(parts);
    });
    if (signal.aborted) return;
    if (outcome === 'refused') return setState('refused');
    setState('connecting');
    failures += 1;
    await new Promise((resolve) => setTimeout(resolve, backoffDelay(failures)));
  }
}

/** Follows one response until it ends. */
async function follow(
  url: string,
  signal: AbortSignal,
  use: (parts: unknown[]) => void,
): Promise<'ended' | 'refused'> {
  try {
    // A redirect leads to the sign-in page.
    const response = await fetch(url, { signal, redirect: 'manual' });
    const isRefused = response.type === 'opaqueredirect' || [401, 403, 404].includes(response.status);
    if (isRefused) return 'refused';
    if (response.ok && response.body !== null) await readJsonLines(response.body, use);
    return 'ended';
  } catch {
    return 'ended';
  }
}
