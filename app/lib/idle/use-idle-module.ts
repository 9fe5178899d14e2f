/** Loads browser code that a page does not need at first. */
import { useEffect, useState } from 'react';
import { backoffDelay } from '../backoff.ts';
import { onIdle } from './on-idle.ts';

/**
 * Loads a module when the browser is idle, and retries with increasing delays if that fails.
 * @param load must be the same function on every render
 * @param isOnline while false, loading is not attempted
 * @returns the module; undefined until it is loaded
 */
export function useIdleModule<Module>(load: () => Promise<Module>, isOnline: boolean): Module | undefined {
  // Wrapped in an object, because React would call a state that is a function.
  const [loaded, setLoaded] = useState<{ module: Module }>();
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (loaded || !isOnline) return;
    let cancelIdle = () => {};
    const begin = () =>
      load().then(
        (module) => setLoaded({ module }),
        () => setFailures((count) => count + 1),
      );
    const timer = setTimeout(() => {
      cancelIdle = onIdle(begin);
    }, backoffDelay(failures));
    return () => {
      clearTimeout(timer);
      cancelIdle();
    };
  }, [load, loaded, isOnline, failures]);
  return loaded?.module;
}
