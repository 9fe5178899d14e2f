/** The current time, for ages. */
import { useEffect, useState } from 'react';

const TICK_MS = 30_000;

/**
 * Returns seconds since 1970: initially the time of the server's rendering, so that server and browser show
 * the same.
 */
export function useNow(loadedAt: number): number {
  const [now, setNow] = useState(loadedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(now, loadedAt);
}
