/** One table: who may do what in words, row-level security, its policies, and “Try as”. */
import { policiesTexts } from '../../../texts/admin-policies.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { SegmentedLinks } from '../../../ui/segmented-control.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { canHavePolicies } from './access/model.ts';
import { Sentence } from './access/sentence.tsx';
import type { TableDetail } from './access/table-detail.ts';
import { DoneNotice } from './done-notice.tsx';
import { ChangeProblem } from './edit/change-problem.tsx';
import { ConfirmDrop, ConfirmRls } from './edit/confirmations.tsx';
import { PolicyEditor } from './edit/policy-editor.tsx';
import { PolicyList } from './edit/policy-list.tsx';
import { ReadOnly } from './edit/read-only.tsx';
import { RlsCard } from './edit/rls-card.tsx';
import { POLICIES, policiesPath, tableOf } from './selection.ts';
import { TryPane } from './try/try-pane.tsx';
import type { PoliciesProps, PoliciesView } from './view.ts';

type TableProps = PoliciesProps<PoliciesView & { kind: 'table' }>;

/** The page of a table. */
export function TablePage(props: TableProps) {
  const { view, selection, notice } = props;
  return (
    <Page>
      <TableHeader {...props} />
      <DoneNotice notice={notice} />
      {view.trying && selection.tab === 'try' ? (
        <TryPane
          key={`${selection.as} ${selection.user} ${selection.aal}`}
          data={view.trying}
          detail={view.detail}
          selection={selection}
          result={tryResultOf(props.result)}
        />
      ) : (
        <AccessPane {...props} />
      )}
    </Page>
  );
}

function TableHeader({ view: { detail }, selection }: TableProps) {
  const texts = useTexts(policiesTexts);
  const { schema, name, kind } = detail.table;
  return (
    <>
      <p className="text-small">
        <TextLink to={POLICIES}>{texts.allTables}</TextLink>
      </p>
      <PageHeader
        title={`${schema}.${name}`}
        description={<Badge>{texts.kinds[kind]}</Badge>}
        actions={
          <SegmentedLinks
            label={texts.tabs}
            links={(['access', 'try'] as const).map((tab) => ({
              to: policiesPath({ ...tableOf(selection), tab }),
              label: texts[tab],
              isCurrent: selection.tab === tab,
            }))}
          />
        }
      />
    </>
  );
}

function AccessPane(props: TableProps) {
  const { view, selection } = props;
  const { table } = view.detail;
  const canEdit = view.refusal === null && canHavePolicies(table);
  const edited = table.policies.find(({ name }) => name === selection.edit);
  const isEditing = canEdit && (selection.new !== '' || edited !== undefined);
  return (
    <div className="grid grid-cols-1 gap-6">
      {view.refusal !== null && <ReadOnly reason={view.refusal} />}
      <ChangeProblem result={changeResultOf(props.result)} selection={selection} />
      {isEditing && (
        <PolicyEditor
          key={`${selection.edit} ${selection.new}`}
          detail={view.detail}
          selection={selection}
          policy={edited}
        />
      )}
      <WordsCard detail={view.detail} />
      <RlsCard table={table} selection={selection} canEdit={canEdit} />
      {canHavePolicies(table) && <PolicyList table={table} selection={selection} canEdit={canEdit} />}
      {canEdit && <ConfirmRls table={table} selection={selection} />}
      {canEdit && <ConfirmDrop table={table} selection={selection} />}
    </div>
  );
}

function tryResultOf(result: TableProps['result']) {
  return result?.kind === 'tried' || result?.kind === 'not-tried' ? result : undefined;
}

function changeResultOf(result: TableProps['result']) {
  return result?.kind === 'draft' || result?.kind === 'conflict' || result?.kind === 'not-changed'
    ? result
    : undefined;
}

function WordsCard({ detail: { roles, words } }: { detail: TableDetail }) {
  const texts = useTexts(policiesTexts);
  return (
    <Card title={texts.words}>
      <ul className="divide-y divide-line">
        {words.map((sentences, role) => (
          <li key={roles[role]?.name} className="px-5 py-3">
            <ul className="grid gap-1.5 text-body">
              {sentences.map((parts) => (
                <li key={JSON.stringify(parts)}>
                  <Sentence parts={parts} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  );
}
