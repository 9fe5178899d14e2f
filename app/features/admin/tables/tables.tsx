/** The section “Tables”: the list of relations next to the rows of the chosen one; on a narrow screen only one of them is visible. */
import { useLocation } from 'react-router';
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { TableTabs } from '../shared/table-tabs.tsx';
import { RelationList } from './relation-list.tsx';
import { describeProblem } from './sql-refusal.ts';
import { readSelection, type Selection, TABLES } from './table-address.ts';
import { TablePane } from './table-pane.tsx';
import type { OpenTable, TablesView } from './tables.server.ts';

/** The page. */
export function Tables({ view }: { view: TablesView }) {
  const texts = useTexts(adminTablesTexts);
  const selection = readSelection(new URLSearchParams(useLocation().search));
  return (
    <div className="grid w-full grid-cols-1 content-start gap-4 px-4 py-6 sm:px-6">
      <PageHeader title={texts.title} description={texts.description} />
      {view.kind === 'hosted' && (
        <div className="card">
          <EmptyState icon="lucide:table-2" title={texts.hosted} text={texts.hostedText} />
        </div>
      )}
      {view.kind === 'unavailable' && (
        <Alert kind="error" title={texts.unavailable}>
          {describeProblem(view.problem)}
        </Alert>
      )}
      {view.kind === 'tables' && selection && (
        <>
          <TableTabs schema={selection.schema} table={selection.table} />
          <Panes view={view} selection={selection} />
        </>
      )}
    </div>
  );
}

function Panes({ view, selection }: { view: TablesView & { kind: 'tables' }; selection: Selection }) {
  const texts = useTexts(adminTablesTexts);
  const { open, relations } = view;
  const isOpen = open.kind !== 'none';
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className={isOpen ? 'max-lg:hidden' : ''}>
        <RelationList relations={relations} selection={selection} />
      </div>
      <div className={`grid min-w-0 grid-cols-1 gap-3 ${isOpen ? '' : 'max-lg:hidden'}`}>
        {isOpen && (
          <TextLink to={TABLES} className="w-fit lg:hidden">
            {texts.list.back}
          </TextLink>
        )}
        <Open open={open} selection={selection} />
      </div>
    </div>
  );
}

function Open({ open, selection }: { open: OpenTable; selection: Selection }) {
  const { list } = useTexts(adminTablesTexts);
  if (open.kind === 'table') return <TablePane table={open.table} first={open.first} selection={selection} />;
  const isGone = open.kind === 'gone';
  return (
    <div className="card">
      <EmptyState
        icon="lucide:table-2"
        title={isGone ? list.gone : list.choose}
        text={isGone ? list.goneText : list.chooseText}
      />
    </div>
  );
}
