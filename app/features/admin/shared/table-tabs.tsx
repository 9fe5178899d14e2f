/** The views of a table: its rows, its structure, and the diagram of its schema. */
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Tabs } from '../../../ui/tabs.tsx';

/** Links to the views, for the same table. Without a table, only for its schema. */
export function TableTabs({ schema, table }: { schema: string; table?: string | undefined }) {
  const texts = useTexts(adminTablesTexts);
  const query = new URLSearchParams({ schema, ...(table !== undefined && { table }) });
  return (
    <Tabs
      label={texts.views}
      tabs={[
        { to: `/admin/tables?${query}`, label: texts.tabs.data },
        { to: `/admin/tables/structure?${query}`, label: texts.tabs.structure },
        { to: `/admin/tables/diagram?${query}`, label: texts.tabs.diagram },
      ]}
    />
  );
}
