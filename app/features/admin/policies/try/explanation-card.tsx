/** The decision about each row, and the result of each policy that took part in it. */
import { tryTexts } from '../../../../texts/admin-policies-try.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Badge, type BadgeTone } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Cell, Heading, Row, RowHeading, Table, TableHead } from '../../../../ui/table.tsx';
import type { ExplainedRow, Explanation } from './explain.server.ts';
import type { CheckResult, RowVerdict, Stage } from './stages.ts';
import { Value } from './value.tsx';

type Explained = Explanation & { kind: 'rows' };

/** Shows the explanation. */
export function ExplanationCard({ explanation }: { explanation: Explanation }) {
  const texts = useTexts(tryTexts);
  return (
    <Card title={texts.explanation}>
      <div className="grid grid-cols-1 gap-4 p-5">
        {explanation.kind === 'exempt' && <p>{texts.exempt[explanation.reason]}</p>}
        {explanation.kind === 'failed' && (
          <Alert kind="warning" title={texts.explainFailed}>
            {explanation.message}
          </Alert>
        )}
        {explanation.kind === 'rows' && <ExplainedRows explanation={explanation} />}
      </div>
    </Card>
  );
}

function ExplainedRows({ explanation }: { explanation: Explained }) {
  const texts = useTexts(tryTexts);
  const { rows, problems, isTruncated } = explanation;
  if (rows.length === 0) return <p>{texts.noRows}</p>;
  return (
    <>
      {problems.map(({ policy, message }) => (
        <Alert key={policy} kind="warning" title={texts.expressionFailed(policy)}>
          {message}
        </Alert>
      ))}
      {isTruncated && <p className="text-small text-ink-muted">{texts.onlyFirst}</p>}
      <Table caption={texts.decisions}>
        <ExplanationHead explanation={explanation} />
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity that all tables share
            <ExplanationLine key={index} row={row} stages={explanation.stages} />
          ))}
        </tbody>
      </Table>
    </>
  );
}

function ExplanationHead({ explanation: { stages, columns } }: { explanation: Explained }) {
  const texts = useTexts(tryTexts);
  return (
    <TableHead>
      <Heading>{texts.outcome}</Heading>
      {stages.map((stage, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the stages of a statement never change their order
        <Heading key={index}>{stageName(stage, texts)}</Heading>
      ))}
      {columns.map((name) => (
        <Heading key={name}>{name}</Heading>
      ))}
    </TableHead>
  );
}

function stageName({ verb, clause, row }: Stage, { stage, verbs }: (typeof tryTexts)['en']): string {
  const kind = clause === 'using' && row === 'new' ? 'using-new' : clause;
  return stage[kind](verbs[verb]);
}

function ExplanationLine({ row, stages }: { row: ExplainedRow; stages: readonly Stage[] }) {
  return (
    <Row>
      <RowHeading>
        <Decision verdict={row.verdict} />
      </RowHeading>
      {stages.map((stage, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the stages of a statement never change their order
        <Cell key={index} className="align-top">
          <StageResults stage={stage} results={row.results[index] ?? []} />
        </Cell>
      ))}
      {row.values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table never change their order
        <Cell key={index} className="max-w-60 truncate align-top">
          <ChangedValue before={value} after={row.after === undefined ? value : (row.after[index] ?? null)} />
        </Cell>
      ))}
    </Row>
  );
}

const TONES: Readonly<Record<RowVerdict['outcome'], BadgeTone>> = {
  passed: 'primary',
  hidden: 'neutral',
  refused: 'danger',
  unknown: 'warning',
};

function Decision({ verdict: { outcome, policies } }: { verdict: RowVerdict }) {
  const texts = useTexts(tryTexts);
  return (
    <div className="grid min-w-36 justify-items-start gap-1">
      <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge>
      <span className="text-caption font-normal text-ink-muted">
        {policies.length > 0 ? texts.by(policies.join(', ')) : texts.noPolicyAllows}
      </span>
    </div>
  );
}

const SIGNS: Readonly<Record<CheckResult, { sign: string; tone: string }>> = {
  passed: { sign: '✓', tone: 'text-primary-ink' },
  failed: { sign: '×', tone: 'text-danger-ink' },
  unknown: { sign: '?', tone: 'text-warning-ink' },
};

function StageResults({ stage, results }: { stage: Stage; results: readonly CheckResult[] }) {
  const texts = useTexts(tryTexts);
  if (stage.checks.length === 0) return <span className="text-ink-muted">{texts.noPolicy}</span>;
  return (
    <ul className="grid gap-0.5 text-small">
      {stage.checks.map(({ policy, isPermissive, expression }, index) => {
        const result = results[index] ?? 'unknown';
        return (
          <li key={policy} title={expression} className="whitespace-nowrap">
            <span aria-hidden="true" className={SIGNS[result].tone}>
              {SIGNS[result].sign}{' '}
            </span>
            {policy} <span className="text-ink-muted">{texts.results[result]}</span>
            {!isPermissive && <span className="text-ink-muted"> ({texts.restrictive})</span>}
          </li>
        );
      })}
    </ul>
  );
}

function ChangedValue({ before, after }: { before: string | null; after: string | null }) {
  if (before === after) return <Value text={before} />;
  return (
    <>
      <del className="text-ink-muted">
        <Value text={before} />
      </del>{' '}
      <ins className="font-medium no-underline">
        <Value text={after} />
      </ins>
    </>
  );
}
