/** The results of the form for pages without scripts: tables of the first rows. */

import type { StatementResult } from '../../../../session/meta-client.server.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Cell, Heading, Row, Table, TableHead } from '../../../../ui/table.tsx';
import type { FormRun } from '../sql-view.ts';
import { useRefusalText } from './use-refusal-text.ts';

const MAX_ROWS = 100;

/** Shows errors in place of results. */
export function PlainResults({ ran }: { ran: FormRun }) {
  const texts = useTexts(sqlResultTexts);
  const { problems } = useTexts(adminSqlTexts);
  const refusalText = useRefusalText();
  const { ending, problem } = ran;
  return (
    <section aria-label={texts.results} className="grid min-w-0 gap-3">
      {problem && <Alert kind="error">{problems[problem]}</Alert>}
      {ending?.kind === 'refused' && <Alert kind="error">{refusalText(ending)}</Alert>}
      {ending?.kind === 'ran' && ending.result.error && (
        <Alert kind="error" title={texts.failed}>
          {ending.result.error.message}
        </Alert>
      )}
      {ending?.kind === 'ran' && ending.migration && (
        <Alert kind="success">{texts.migration(ending.migration)}</Alert>
      )}
      {ending?.kind === 'ran' &&
        ending.result.results.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <PlainResult key={index} result={result} number={index + 1} />
        ))}
    </section>
  );
}

function PlainResult({ result, number }: { result: StatementResult; number: number }) {
  const texts = useTexts(sqlResultTexts);
  const { columns, rows, command, row_count: count } = result;
  if (columns === null)
    return (
      <p className="card px-4 py-3 text-body">
        <span className="font-mono">{command}</span> ·{' '}
        {count === null ? texts.done : texts.changedRows(count)}
      </p>
    );
  return (
    <>
      <p className="text-small text-ink-muted">
        {rows.length > MAX_ROWS || result.is_truncated
          ? texts.firstRows(Math.min(rows.length, MAX_ROWS))
          : texts.rows(rows.length)}
      </p>
      <Table caption={texts.resultName(String(number))}>
        <TableHead>
          {columns.map(({ name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names repeat
            <Heading key={index}>{name}</Heading>
          ))}
        </TableHead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <Row key={index}>
              {row.map((value, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                <Cell key={column} className="font-mono text-small">
                  {value ?? <span className="text-ink-muted italic">{texts.grid.null}</span>}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </>
  );
}
