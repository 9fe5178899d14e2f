/** Follows the log while the page is open, and reconnects after a loss of the connection. */
import { useEffect, useRef, useState } from 'react';
import { backoffDelay } from '../../../lib/backoff.ts';
import { withBase } from '../../../lib/page/base-path.ts';
import { usePage } from '../../../lib/page/page-context.tsx';
import { readJsonLines } from './line-stream.ts';
import { addFollowed, type LogLine } from './log-lines.ts';
import { LOGS } from './selection.ts';

/**
 * State of the connection. `live`: no line is missing between the loaded and the followed ones. `refused`: the session or the role
 * of an administrator has ended.
 */
type FollowState = 'off' | 'connecting' | 'live' | 'refused';

/** The lines since the connection, oldest first. */
export interface Followed {
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
 * @param onReady loads the lines that were written before the connection was open
 */
export function useFollowedLines(search: string | undefined, onReady: () => Promise<void>): Followed {
  const { baseURL } = usePage().config;
  const [followed, setFollowed] = useState(NOTHING);
  const ready = useRef(onReady);
  ready.current = onReady;
  useEffect(() => {
    setFollowed(search === undefined ? NOTHING : { ...NOTHING, state: 'connecting' });
    if (search === undefined) return;
    const controller = new AbortController();
    const url = withBase(`${LOGS}/tail?${search}`, baseURL);
    void followUntilRefused(url, controller.signal, {
      add: (parts) => setFollowed((current) => withParts(current, parts)),
      setState: (state) => setFollowed((current) => ({ ...current, state })),
      loadEarlier: () => ready.current(),
    });
    return () => controller.abort();
  }, [search, baseURL]);
  return followed;
}

function withParts(current: Followed, parts: readonly Part[]): Followed {
  const lines = parts.filter((part): part is LogLine => 'id' in part);
  const missed = parts.reduce((sum, part) => sum + ('missed' in part ? part.missed : 0), current.missed);
  return { ...current, lines: addFollowed(current.lines, lines), missed };
}

interface Handlers {
  add(parts: readonly Part[]): void;
  setState(state: FollowState): void;
  loadEarlier(): Promise<void>;
}

async function followUntilRefused(url: string, signal: AbortSignal, handlers: Handlers): Promise<void> {
  let failures = 0;
  const add = (parts: readonly Part[]) => {
    failures = 0;
    handlers.add(parts);
  };
  while (!signal.aborted) {
    const outcome = await follow(url, signal, { ...handlers, add });
    if (signal.aborted) return;
    if (outcome === 'refused') return handlers.setState('refused');
    handlers.setState('connecting');
    failures += 1;
    await new Promise((resolve) => setTimeout(resolve, backoffDelay(failures)));
  }
}

/** Follows one response until it ends. */
async function follow(url: string, signal: AbortSignal, handlers: Handlers): Promise<'ended' | 'refused'> {
  let isOpen = true;
  const use = (parts: unknown[]) => {
    handlers.add(parts as Part[]);
    if (!(parts as Part[]).some((part) => 'ready' in part)) return;
    void handlers.loadEarlier().then(() => {
      if (isOpen && !signal.aborted) handlers.setState('live');
    });
  };
  try {
    // A redirect leads to the sign-in page.
    const response = await fetch(url, { signal, redirect: 'manual' });
    const isRefused = response.type === 'opaqueredirect' || [401, 403, 404].includes(response.status);
    if (isRefused) return 'refused';
    if (response.ok && response.body !== null) await readJsonLines(response.body, use);
    return 'ended';
  } catch {
    return 'ended';
  } finally {
    isOpen = false;
  }
}
