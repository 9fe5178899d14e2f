/** Cards of the overview: recent errors, slow statements and changes. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import { Resolved } from '../../../lib/resolved.tsx';
import type { AuditRecord } from '../../../session/meta-client.server.ts';
import { adminOverviewTexts } from '../../../texts/admin-overview.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Card } from '../../../ui/card.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Cell, Heading, Row, Table, TableHead } from '../../../ui/table.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { type LogLine, summaryOf } from '../logs/log-lines.ts';
import { changesPath, linesPath } from '../logs/selection.ts';
import type { SlowStatements } from './slow-statements.server.ts';

/** Failed requests and errors, with links to all lines of their requests. */
export function RecentErrors({ errors }: { errors: MaybePromise<readonly LogLine[] | undefined> }) {
  const texts = useTexts(adminOverviewTexts);
  return (
    <Card
      title={texts.errors}
      actions={<TextLink to={linesPath({ status: '5xx' })}>{texts.allErrors}</TextLink>}
    >
      <Part data={errors} empty={texts.noErrors}>
        {(line) => <ErrorLine key={line.id} line={line} />}
      </Part>
    </Card>
  );
}

function ErrorLine({ line }: { line: LogLine }) {
  const { reqId, status } = line.fields;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-5 py-2.5 text-body">
      <span className="truncate font-mono text-small">
        {typeof status === 'number' && <span className="text-danger-ink">{status} </span>}
        {summaryOf(line)}
      </span>
      {line.time && (
        <span className="text-small text-ink-muted">
          <LocalTime seconds={Math.floor(Date.parse(line.time) / 1000)} />
        </span>
      )}
      {typeof reqId === 'string' && (
        <TextLink to={linesPath({ request: reqId })} className="w-fit max-w-full truncate text-small">
          {reqId}
        </TextLink>
      )}
    </li>
  );
}

/** The changes of administrators. */
export function RecentChanges({ changes }: { changes: MaybePromise<readonly AuditRecord[] | undefined> }) {
  const texts = useTexts(adminOverviewTexts);
  return (
    <Card title={texts.changes} actions={<TextLink to={changesPath()}>{texts.allChanges}</TextLink>}>
      <Part data={changes} empty={texts.noChanges}>
        {(change) => (
          <li
            key={change.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-5 py-2.5 text-body"
          >
            <Link to={changesPath({ target: change.target })} className="truncate hover:underline">
              {change.summary}
            </Link>
            <span className="text-small text-ink-muted">
              <LocalTime seconds={Math.floor(Date.parse(change.created_at) / 1000)} />
            </span>
            <span className="truncate text-small text-ink-muted">{change.actor_email}</span>
          </li>
        )}
      </Part>
    </Card>
  );
}

/** The statements that took the most time. */
export function SlowStatementsCard({ statements }: { statements: MaybePromise<SlowStatements | undefined> }) {
  const texts = useTexts(adminOverviewTexts);
  return (
    <Card title={texts.statements}>
      <Resolved data={statements} fallback={<Waiting />}>
        {(found) => {
          if (found === undefined) return <Empty text={texts.notLoaded} />;
          if (found.kind === 'missing') return <Empty text={texts.statementsMissing} />;
          if (found.statements.length === 0) return <Empty text={texts.noStatements} />;
          return <StatementTable statements={found.statements} />;
        }}
      </Resolved>
    </Card>
  );
}

function StatementTable(props: { statements: (SlowStatements & { kind: 'statements' })['statements'] }) {
  const texts = useTexts(adminOverviewTexts);
  const language = useLanguage();
  const ms = (value: number) => `${formatNumber(value, language)} ms`;
  return (
    <div className="p-4">
      <Table caption={texts.statementTable}>
        <TableHead>
          <Heading>{texts.query}</Heading>
          <Heading>{texts.calls}</Heading>
          <Heading>{texts.total}</Heading>
          <Heading>{texts.mean}</Heading>
        </TableHead>
        <tbody>
          {props.statements.map(({ query, calls, total_ms: total, mean_ms: mean }) => (
            <Row key={`${query} ${calls} ${total}`}>
              <Cell>
                <code className="line-clamp-3 min-w-64 font-mono text-small [overflow-wrap:anywhere]">
                  {query}
                </code>
              </Cell>
              <Cell className="tabular-nums">{formatNumber(calls, language)}</Cell>
              <Cell className="whitespace-nowrap tabular-nums">{ms(total)}</Cell>
              <Cell className="whitespace-nowrap tabular-nums">{ms(mean)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Part<T>(props: {
  data: MaybePromise<readonly T[] | undefined>;
  empty: string;
  children(item: T): ReactNode;
}) {
  const { data, empty, children } = props;
  const { notLoaded } = useTexts(adminOverviewTexts);
  return (
    <Resolved data={data} fallback={<Waiting />}>
      {(items) =>
        items && items.length > 0 ? (
          <ul className="divide-y divide-line">{items.map(children)}</ul>
        ) : (
          <Empty text={items ? empty : notLoaded} />
        )
      }
    </Resolved>
  );
}

function Empty({ text }: { text: string }) {
  return <p className="px-5 py-4 text-body text-ink-muted">{text}</p>;
}

function Waiting() {
  return (
    <div className="px-5 py-4">
      <Skeleton />
    </div>
  );
}
