/** Signs out by script, wherever the person is. */
import { useEffect } from 'react';
import { useFetcher } from 'react-router';
import { useToast } from '../ui/use-toast.ts';
import type { signOut } from './sign-out.server.ts';

/** A fetcher for forms with a `scope`, sent to `/sign-out`. What came of it is told in a toast. */
export function useSignOut() {
  const fetcher = useFetcher<typeof signOut>();
  const { add } = useToast();
  const outcome = fetcher.data;
  useEffect(() => {
    if (outcome) add({ kind: outcome.kind, title: outcome.message });
  }, [outcome, add]);
  return fetcher;
}
