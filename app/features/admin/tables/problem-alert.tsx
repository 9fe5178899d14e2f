/** An error of the database or of the connection. */
import type { ReactNode } from 'react';
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { describeProblem, type Problem } from './sql-refusal.ts';
import { NO_ACCESS, OFFLINE } from './tables-client.ts';

/** Returns a function that describes problems in the language of the page. */
export function useProblemText(): (problem: Problem) => string {
  const { offline, noAccess, invalidRequest } = useTexts(adminTablesTexts);
  return (problem) => {
    if (problem.code === OFFLINE || problem.code === 'unreachable') return offline;
    if (problem.code === NO_ACCESS) return noAccess;
    return problem.code === 'invalid' ? invalidRequest : describeProblem(problem);
  };
}

/** Shows a problem. `children` are actions. */
export function ProblemAlert({ problem, children }: { problem: Problem; children?: ReactNode }) {
  const describe = useProblemText();
  return (
    <Alert kind="error">
      {describe(problem)} {children}
    </Alert>
  );
}
