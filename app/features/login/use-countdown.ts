/** A countdown in seconds; 0 until hydration, because it cannot run before. */
import { useEffect, useState } from 'react';

/** Starts when the component mounts, and restarts when `attempt` changes. */
export function useCountdown(seconds: number, attempt?: unknown): number {
  const [left, setLeft] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt restarts the countdown
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [seconds, attempt]);
  return left;
}
