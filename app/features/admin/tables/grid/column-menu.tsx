/** Which columns the grid shows. */
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { buttonClass } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import type { GridColumns } from './use-grid-columns.ts';

/** At least one column stays visible. */
export function ColumnMenu({ grid }: { grid: GridColumns }) {
  const { toolbar } = useTexts(adminTablesTexts);
  const columns = grid.getAllLeafColumns();
  const shown = columns.filter((column) => column.getIsVisible()).length;
  return (
    <details className="relative">
      <summary className={buttonClass({ size: 'small' }, 'list-none')}>
        <Icon name="lucide:columns-3" />
        {toolbar.columns}
      </summary>
      <div className="floating absolute start-0 z-(--layer-header) mt-1 grid max-h-80 w-60 gap-2 overflow-y-auto rounded-card p-3">
        {columns.map((column) => (
          <Checkbox
            key={column.id}
            label={column.id}
            checked={column.getIsVisible()}
            disabled={shown === 1 && column.getIsVisible()}
            onChange={(event) => column.toggleVisibility(event.target.checked)}
          />
        ))}
      </div>
    </details>
  );
}
