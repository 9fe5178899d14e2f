/** Code of the browser that a page can do without at first. */
import { useEffect, useState } from 'react';
import { waitAfterFailures } from '../back-off.ts';
import { onIdle } from './on-idle.ts';

/**
 * Loads a module when the browser has nothing better to do; where that fails, again after a while.
 * @param load always the same function
 * @param isOnline without a network nothing is tried
 * @returns undefined until it is there
 */
export function useLateModule<Module>(load: () => Promise<Module>, isOnline: boolean): Module | undefined {
  // In an object, since a state that is a function would be called.
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
    }, waitAfterFailures(failures));
    return () => {
      clearTimeout(timer);
      cancelIdle();
    };
  }, [load, loaded, isOnline, failures]);
  return loaded?.module;
}
