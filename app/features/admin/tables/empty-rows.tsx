/** Says why a relation shows no rows, and offers the way to some. */
import type { ReactNode } from 'react';
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { type Selection, tablesPath } from './table-address.ts';

/** `children` are the actions on a table without rows. */
export function EmptyRows({ selection, children }: { selection: Selection; children?: ReactNode }) {
  const { grid, filters, toolbar } = useTexts(adminTablesTexts);
  if (selection.filters.length > 0)
    return (
      <EmptyState icon="lucide:list-filter" title={grid.noMatches}>
        <ButtonLink to={tablesPath({ ...selection, filters: [], after: undefined })}>
          {filters.clear}
        </ButtonLink>
      </EmptyState>
    );
  if (selection.after !== undefined)
    return (
      <EmptyState icon="lucide:table-2" title={grid.noFurtherRows}>
        <ButtonLink to={tablesPath({ ...selection, after: undefined })}>{toolbar.firstRows}</ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState icon="lucide:table-2" title={grid.noRows} text={grid.noRowsText}>
      {children}
    </EmptyState>
  );
}
