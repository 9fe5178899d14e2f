/** Data of a panel, loaded when it opens. */
import { useCallback, useEffect, useState } from 'react';
import { ApiError, getJson } from '../run/sql-api.ts';

/** Loaded data. */
export type Loaded<T> =
  | { kind: 'loading' }
  | { kind: 'failed'; isSessionOver: boolean }
  | { kind: 'loaded'; value: T };

/** Loads JSON from a URL; another URL replaces the data when its response has arrived. */
export function useLoaded<T>(url: string): [loaded: Loaded<T>, reload: () => void] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    const controller = new AbortController();
    getJson<T>(url, controller.signal).then(
      (value) => setLoaded({ kind: 'loaded', value }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setLoaded({ kind: 'failed', isSessionOver: error instanceof ApiError && error.kind === 'session' });
      },
    );
    return () => controller.abort();
  }, [url, attempt]);
  return [loaded, useCallback(() => setAttempt((count) => count + 1), [])];
}
