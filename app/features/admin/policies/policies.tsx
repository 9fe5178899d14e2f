/** The policies: the matrix of roles and tables, one table, and the advisors. */
import type { ReactNode } from 'react';
import { Resolved } from '../../../lib/resolved.tsx';
import { policiesTexts } from '../../../texts/admin-policies.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { SegmentedLinks } from '../../../ui/segmented-control.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { AdvisorsPane } from './advisors/advisors-pane.tsx';
import { DoneNotice } from './done-notice.tsx';
import { MatrixPane } from './matrix/matrix-pane.tsx';
import { POLICIES, policiesPath } from './selection.ts';
import { TablePage } from './table-page.tsx';
import type { PoliciesProps, PoliciesResult, PoliciesView } from './view.ts';

/** The page. */
export function Policies(props: PoliciesProps) {
  const { view, ...rest } = props;
  if (view.kind === 'table') return <TablePage {...rest} view={view} />;
  return (
    <Frame {...rest}>
      <Content {...rest} view={view} />
    </Frame>
  );
}

function Frame({ selection, notice, children }: Omit<PoliciesProps, 'view'> & { children: ReactNode }) {
  const texts = useTexts(policiesTexts);
  return (
    <Page>
      <PageHeader
        title={texts.title}
        description={texts.lead}
        actions={
          <SegmentedLinks
            label={texts.views}
            links={(['matrix', 'advisors'] as const).map((id) => ({
              to: policiesPath({ view: id }),
              label: texts[id],
              isCurrent: selection.view === id,
            }))}
          />
        }
      />
      <DoneNotice notice={notice} />
      {children}
    </Page>
  );
}

function Content({
  view,
  selection,
  result,
}: Omit<PoliciesProps<Exclude<PoliciesView, { kind: 'table' }>>, 'notice'>) {
  const texts = useTexts(policiesTexts);
  if (view.kind === 'matrix')
    return (
      <Resolved data={view.list} fallback={<ListLoading label={texts.loading} />}>
        {(list) => <MatrixPane list={list} selection={selection} />}
      </Resolved>
    );
  if (view.kind === 'advisors') return <AdvisorsPane view={view} result={fixResultOf(result)} />;
  if (view.kind === 'unavailable')
    return (
      <Alert kind="error" title={texts.loadFailed}>
        {texts.tryAgain}
      </Alert>
    );
  return (
    <div className="card">
      {view.kind === 'gone' ? (
        <EmptyState icon="search" title={texts.gone} text={texts.goneText}>
          <ButtonLink to={POLICIES}>{texts.allTables}</ButtonLink>
        </EmptyState>
      ) : (
        <EmptyState icon="info" title={texts.noDatabase} text={texts.noDatabaseText} />
      )}
    </div>
  );
}

function fixResultOf(result: PoliciesResult | undefined) {
  return result?.kind === 'fix-gone' || result?.kind === 'not-changed' ? result : undefined;
}

function ListLoading({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <TableSkeleton />
    </Loading>
  );
}
