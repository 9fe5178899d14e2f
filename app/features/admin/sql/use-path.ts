/** Paths of the routes that the scripts of the page call. */
import { useCallback } from 'react';
import { withBase } from '../../../lib/page/base-path.ts';
import { usePage } from '../../../lib/page/page-context.tsx';

/** Returns a function that puts a path of the app below the base of the site. */
export function usePath(): (path: string) => string {
  const { baseURL } = usePage().config;
  return useCallback((path: string) => withBase(path, baseURL), [baseURL]);
}
