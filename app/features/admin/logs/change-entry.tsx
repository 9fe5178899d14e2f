/** A change of an administrator, and its details, which open below it. */
import { Form, Link, useNavigation } from 'react-router';
import type { AuditRecord } from '../../../session/meta-client.server.ts';
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DescriptionItem, DescriptionList } from '../../../ui/description-list.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { Cell, Heading, Row, RowHeading, Table, TableHead } from '../../../ui/table.tsx';
import { TEXT_LINK_CLASS } from '../../../ui/text-link.tsx';
import { type ChangeSelection, changesPath, linesPath } from './selection.ts';
import { type ValueChange, valueChanges } from './value-changes.ts';

const TONES = { started: 'warning', done: 'neutral', failed: 'danger' } as const satisfies Record<
  string,
  BadgeTone
>;

/** `selection` is the filter to return to. */
export function ChangeEntry({ change, selection }: { change: AuditRecord; selection: ChangeSelection }) {
  const { changes: texts } = useTexts(adminLogsTexts);
  const isUndone = change.undone_by !== null;
  return (
    <details className="group/change">
      <summary
        className="grid cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3
          text-body -outline-offset-2! group-open/change:bg-hover hover:bg-hover"
      >
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{change.summary}</span>
        <Badge tone={isUndone ? 'info' : TONES[change.outcome]}>
          {isUndone ? texts.undone : texts.outcomes[change.outcome]}
        </Badge>
        <span className="truncate text-small text-ink-muted">{change.actor_email ?? change.actor_id}</span>
        <span className="text-small text-ink-muted">
          <LocalTime seconds={Math.floor(Date.parse(change.created_at) / 1000)} />
        </span>
      </summary>
      <div className="grid grid-cols-1 gap-4 border-t border-line bg-sunken pb-4">
        <Facts change={change} />
        <Values change={change} />
        {change.undo_sql && <Undo change={change} selection={selection} />}
      </div>
    </details>
  );
}

function Facts({ change }: { change: AuditRecord }) {
  const { changes: texts } = useTexts(adminLogsTexts);
  return (
    <DescriptionList>
      <DescriptionItem label={texts.action}>
        <code className="font-mono text-small">{change.action}</code>
      </DescriptionItem>
      <DescriptionItem label={texts.target}>
        <code className="font-mono text-small">{change.target}</code>
      </DescriptionItem>
      {change.actor_address && (
        <DescriptionItem label={texts.address}>{change.actor_address}</DescriptionItem>
      )}
      {change.request_id && (
        <DescriptionItem label={texts.request}>
          <Link to={linesPath({ request: change.request_id })} className={TEXT_LINK_CLASS}>
            {change.request_id}
          </Link>
        </DescriptionItem>
      )}
      {change.error && <DescriptionItem label={texts.error}>{change.error}</DescriptionItem>}
    </DescriptionList>
  );
}

function Values({ change }: { change: AuditRecord }) {
  const { changes: texts } = useTexts(adminLogsTexts);
  const changes = valueChanges(change.before, change.after);
  if (changes.length === 0) return null;
  return (
    <div className="px-4">
      <Table caption={texts.values}>
        <TableHead>
          <Heading>{texts.field}</Heading>
          <Heading>{texts.before}</Heading>
          <Heading>{texts.after}</Heading>
        </TableHead>
        <tbody>
          {changes.map((value) => (
            <ValueRow key={value.name} value={value} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function ValueRow({ value: { name, before, after, isChanged } }: { value: ValueChange }) {
  const { changes: texts } = useTexts(adminLogsTexts);
  return (
    <Row>
      <RowHeading>
        {name}
        {isChanged && <span className="sr-only"> ({texts.changed})</span>}
      </RowHeading>
      <Cell className={isChanged ? 'text-danger-ink' : 'text-ink-muted'}>
        <Value text={before} />
      </Cell>
      <Cell className={isChanged ? 'text-primary-ink' : 'text-ink-muted'}>
        <Value text={after} />
      </Cell>
    </Row>
  );
}

function Value({ text }: { text: string | undefined }) {
  const { changes: texts } = useTexts(adminLogsTexts);
  if (text === undefined) return <span className="text-ink-faint">{texts.none}</span>;
  return <pre className="font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>;
}

function Undo({ change, selection }: { change: AuditRecord; selection: ChangeSelection }) {
  const { changes: texts } = useTexts(adminLogsTexts);
  const isPending = useNavigation().formData?.get('id') === change.id;
  const canUndo = change.outcome === 'done' && change.undone_by === null;
  return (
    <Form method="post" action={changesPath(selection)} className="grid gap-2 px-5" preventScrollReset>
      <p className="text-small text-ink-muted">{texts.undoSql}</p>
      <pre className="overflow-x-auto rounded-control border border-line bg-surface p-3 font-mono text-small whitespace-pre-wrap">
        {change.undo_sql}
      </pre>
      <input type="hidden" name="intent" value="undo" />
      <input type="hidden" name="id" value={change.id} />
      {canUndo && (
        <Button type="submit" size="small" className="justify-self-start" isPending={isPending}>
          {isPending ? texts.undoing : texts.undo}
        </Button>
      )}
    </Form>
  );
}
