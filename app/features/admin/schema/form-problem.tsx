/** Why a form did not run. */
import { Link, useLocation } from 'react-router';
import { adminSchemaFormTexts } from '../../../texts/admin-schema-forms.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import type { Differences } from './differences.ts';
import type { FormProblem } from './view.ts';

/** Shows the problem, and what to do about it. */
export function ProblemAlert({ problem }: { problem: FormProblem }) {
  const { problems } = useTexts(adminSchemaFormTexts);
  switch (problem.kind) {
    case 'missing':
      return <Alert kind="error">{problems.missing}</Alert>;
    case 'no-change':
      return <Alert kind="warning">{problems.noChange}</Alert>;
    case 'check-sql':
      return <Alert kind="info">{problems.checkSql}</Alert>;
    case 'name':
      return <Alert kind="error">{problems.name}</Alert>;
    case 'conflict':
      return <Conflict {...problem.differences} />;
    default:
      return (
        <Alert kind="error" title={problems.refused}>
          {[problem.message, problem.detail, problem.hint]
            .filter((line) => line !== '')
            .map((line) => (
              <p key={line}>{line}</p>
            ))}
        </Alert>
      );
  }
}

function Conflict({ removed, added }: Differences) {
  const { problems } = useTexts(adminSchemaFormTexts);
  const { pathname, search } = useLocation();
  return (
    <Alert kind="error" title={problems.conflict}>
      <Lines label={problems.removed} lines={removed} />
      <Lines label={problems.added} lines={added} />
      <Link to={pathname + search} reloadDocument className="font-medium underline">
        {problems.reload}
      </Link>
    </Alert>
  );
}

function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="my-1.5">
      <p className="text-small font-medium">{label}</p>
      <pre className="font-mono text-small whitespace-pre-wrap">{lines.join('\n')}</pre>
    </div>
  );
}
