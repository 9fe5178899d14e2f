/** The result of a statement that was tried: its rows or error, missing rights, and the decision about each row. */
import { formatNumber } from '../../../../lib/format/number.ts';
import { tryTexts } from '../../../../texts/admin-policies-try.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Cell, Heading, Row, Table, TableHead } from '../../../../ui/table.tsx';
import { SqlBlock } from '../access/sentence.tsx';
import { ExplanationCard } from './explanation-card.tsx';
import type { MissingRight } from './missing-rights.ts';
import type { TrialResult } from './try-as.server.ts';
import { Value } from './value.tsx';

/** Shows the result. */
export function TrialResultCards({ result }: { result: TrialResult }) {
  const texts = useTexts(tryTexts);
  return (
    <>
      <Card title={texts.result} description={texts.as(result.caller.role)}>
        <div className="grid grid-cols-1 gap-4 p-5">
          <SqlBlock label={texts.ranSql} sql={result.sql} />
          {result.error && (
            <Alert kind="error" title={texts.refused}>
              {result.error.message} ({result.error.code})
            </Alert>
          )}
          {result.missing.length > 0 && <MissingRights missing={result.missing} />}
          {!result.error && <RowCount result={result} />}
          {result.rows.length > 0 && <ResultRows result={result} />}
        </div>
      </Card>
      <ExplanationCard explanation={result.explanation} />
    </>
  );
}

function RowCount({ result }: { result: TrialResult }) {
  const texts = useTexts(tryTexts);
  const language = useLanguage();
  const count = formatNumber(result.rowCount ?? result.rows.length, language);
  const isRead = /^\s*select/i.test(result.sql);
  return (
    <p role="status" className="text-body">
      {isRead ? texts.rowsRead(count) : texts.rowsChanged(count)} {result.isTruncated && texts.more}
    </p>
  );
}

function MissingRights({ missing }: { missing: readonly MissingRight[] }) {
  const texts = useTexts(tryTexts);
  return (
    <Alert kind="warning" title={texts.missing}>
      <ul>
        {missing.map(({ right, columns }) => (
          <li key={right}>
            {texts.missingRight[right]} {columns && texts.onColumns(columns.join(', '))}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function ResultRows({ result: { columns, rows } }: { result: TrialResult }) {
  const { resultRows } = useTexts(tryTexts);
  return (
    <Table caption={resultRows}>
      <TableHead>
        {columns.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of columns may repeat
          <Heading key={index}>{name}</Heading>
        ))}
      </TableHead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no identity
          <Row key={index}>
            {row.map((value, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names of columns may repeat
              <Cell key={column} className="max-w-72 truncate">
                <Value text={value} />
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
