/** The changes of administrators: a filter, and entries with the values before and after each change. */
import { Form } from 'react-router';
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import { Resolved } from '../../../lib/resolved.tsx';
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { ChangeEntry } from './change-entry.tsx';
import type { ChangePage, ListProblem } from './logs.server.ts';
import { LogsFrame } from './logs-frame.tsx';
import { type ChangeSelection, changesPath, LOGS } from './selection.ts';
import type { NotUndone } from './undo-change.server.ts';

/** `problem` is set if a change could not be undone. */
export function ChangesPage(props: {
  page: MaybePromise<ChangePage | ListProblem>;
  selection: ChangeSelection;
  problem: NotUndone | undefined;
}) {
  const { page, selection, problem } = props;
  const texts = useTexts(adminLogsTexts);
  const fallback = (
    <Loading>
      <TableSkeleton />
    </Loading>
  );
  return (
    <LogsFrame part="changes">
      {problem && (
        <Alert kind="error" title={texts.changes.notUndone}>
          {texts.changes.reasons[problem.reason]} {problem.detail}
        </Alert>
      )}
      <ChangeSearch selection={selection} />
      <Resolved data={page} fallback={fallback}>
        {(found) =>
          'problem' in found ? (
            <Alert kind="error" title={texts.failed}>
              {found.problem}
            </Alert>
          ) : (
            <Changes page={found} selection={selection} />
          )
        }
      </Resolved>
    </LogsFrame>
  );
}

function Changes({ page, selection }: { page: ChangePage; selection: ChangeSelection }) {
  const { changes: texts } = useTexts(adminLogsTexts);
  if (page.changes.length === 0) return <NoChanges isFiltered={changesPath(selection) !== changesPath()} />;
  return (
    <>
      <ul aria-label={texts.label} className="card divide-y divide-line overflow-hidden">
        {page.changes.map((change) => (
          <li key={change.id}>
            <ChangeEntry change={change} selection={selection} />
          </li>
        ))}
      </ul>
      {page.next !== null && (
        <ButtonLink to={changesPath({ ...selection, before: page.next })} className="justify-self-start">
          {texts.older}
        </ButtonLink>
      )}
    </>
  );
}

function NoChanges({ isFiltered }: { isFiltered: boolean }) {
  const { changes: texts, search } = useTexts(adminLogsTexts);
  return (
    <div className="card">
      {isFiltered ? (
        <EmptyState icon="search" title={texts.noMatches} text={texts.noMatchesText}>
          <ButtonLink to={changesPath()}>{search.reset}</ButtonLink>
        </EmptyState>
      ) : (
        <EmptyState icon="lucide:history" title={texts.emptyTitle} text={texts.emptyText} />
      )}
    </div>
  );
}

function ChangeSearch({ selection }: { selection: ChangeSelection }) {
  const { changes, search } = useTexts(adminLogsTexts);
  const { actor, action, target } = selection;
  return (
    <Form
      key={changesPath(selection)}
      method="get"
      action={LOGS}
      role="search"
      className="grid items-end gap-3 sm:grid-cols-3 lg:grid-cols-[repeat(3,minmax(0,1fr))_auto]"
    >
      <input type="hidden" name="tab" value="changes" />
      <Field
        label={changes.search.action}
        name="action"
        defaultValue={action}
        placeholder={changes.actionPlaceholder}
      />
      <Field label={changes.search.target} name="target" defaultValue={target} placeholder="public.notes" />
      <Field label={changes.search.actor} name="actor" defaultValue={actor} />
      <Button type="submit" size="large">
        {search.submit}
      </Button>
    </Form>
  );
}
