/** “Try as”: the caller, the statement, and its result. */
import { tryTexts } from '../../../../texts/admin-policies-try.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import type { TableDetail } from '../access/table-detail.ts';
import type { Selection } from '../selection.ts';
import { CallerCard } from './caller-card.tsx';
import type { TryData, TryResult } from './results.ts';
import { StatementCard } from './statement-card.tsx';
import { TrialResultCards } from './trial-result.tsx';

/** Shows the forms, and the result below them. */
export function TryPane(props: {
  data: TryData;
  detail: TableDetail;
  selection: Selection;
  result: TryResult | undefined;
}) {
  const { data, detail, selection, result } = props;
  const { problems } = useTexts(tryTexts);
  return (
    <div className="grid grid-cols-1 gap-6">
      <CallerCard data={data} selection={selection} />
      <StatementCard data={data} detail={detail} selection={selection} />
      {result?.kind === 'not-tried' && (
        <Alert kind="error">
          {problems[result.problem]} {result.message}
        </Alert>
      )}
      {result?.kind === 'tried' && <TrialResultCards result={result.result} />}
    </div>
  );
}
