/** Seconds that are left, counted down; 0 until the page is alive, since nothing would count there. */
import { useEffect, useState } from 'react';

/** Begins when the component is shown, and anew when `attempt` changes. */
export function useCountdown(seconds: number, attempt?: unknown): number {
  const [left, setLeft] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins the count anew
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [seconds, attempt]);
  return left;
}
