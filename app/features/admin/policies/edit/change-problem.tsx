/** The reason why a change was not made: PostgreSQL refused it, or the definition was changed meanwhile. */
import { changeRefusalTexts } from '../../../../texts/admin-changes.ts';
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { policyEditorTexts } from '../../../../texts/admin-policies-editor.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { ButtonLink } from '../../../../ui/button.tsx';
import { SqlBlock } from '../access/sentence.tsx';
import { policiesPath, type Selection, tableOf } from '../selection.ts';
import type { ChangeResult, NotChangedResult } from './results.ts';

/** Shows the reason; nothing for other results. */
export function ChangeProblem({
  result,
  selection,
}: {
  result: ChangeResult | undefined;
  selection: Selection;
}) {
  const texts = useTexts(policiesTexts);
  const { problems } = useTexts(policyEditorTexts);
  if (result?.kind === 'draft') return <Alert kind="error">{problems[result.problem]}</Alert>;
  if (result?.kind === 'not-changed') return <NotChanged outcome={result.outcome} />;
  if (result?.kind !== 'conflict') return null;
  return (
    <div className="grid gap-4">
      <Alert kind="error" title={texts.conflict}>
        {texts.conflictText}
      </Alert>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <SqlBlock label={texts.current} sql={result.current ?? texts.dropped} />
        <SqlBlock label={texts.yours} sql={result.yours} />
      </div>
      <ButtonLink
        to={policiesPath({ ...tableOf(selection), ...(result.current !== null && { edit: selection.edit }) })}
        reloadDocument
        className="justify-self-start"
      >
        {texts.reload}
      </ButtonLink>
    </div>
  );
}

/** Shows the reason of the database. */
export function NotChanged({ outcome }: { outcome: NotChangedResult['outcome'] }) {
  const texts = useTexts(policiesTexts);
  const reasons = useTexts(changeRefusalTexts);
  if (outcome.kind === 'not-allowed')
    return (
      <Alert kind="error" title={texts.readOnly}>
        {reasons[outcome.reason]}
      </Alert>
    );
  return (
    <Alert kind="error" title={texts.failed}>
      {outcome.message}
    </Alert>
  );
}
