import { useEffect, useState } from 'react';
import { onIdle } from './on-idle.ts';

/** Returns false on the server and until the browser's first idle moment after hydration. */
export function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => onIdle(() => setIsIdle(true)), []);
  return isIdle;
}
