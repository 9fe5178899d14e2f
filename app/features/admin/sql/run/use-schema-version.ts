/** Counts the runs that may have changed the names of the database. */
import { useEffect, useRef, useState } from 'react';
import type { RunState } from './run-state.ts';

const CHANGES = /^(?:CREATE|ALTER|DROP|DO|IMPORT|SELECT INTO|COMMENT)\b/;

/** Returns the number of such runs on this visit. */
export function useSchemaVersion(state: RunState): number {
  const [version, setVersion] = useState(0);
  const seen = useRef('');
  useEffect(() => {
    if (state.kind !== 'ended' || state.ending.kind !== 'ran' || seen.current === state.id) return;
    seen.current = state.id;
    const { result, migration } = state.ending;
    const isChange = migration !== null || result.results.some(({ command }) => CHANGES.test(command));
    if (result.is_committed && isChange) setVersion((count) => count + 1);
  }, [state]);
  return version;
}
