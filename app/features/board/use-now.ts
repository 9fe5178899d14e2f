/** The time, for what says how long ago something was. */
import { useEffect, useState } from 'react';

const TICK_MS = 30_000;

/** Seconds since 1970: at first those at which the page was made, so that server and browser say the same. */
export function useNow(loadedAt: number): number {
  const [now, setNow] = useState(loadedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(now, loadedAt);
}
