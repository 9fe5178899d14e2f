/** The saved queries, private and shared ones. */
import { type ReactElement, useState } from 'react';
import type { SavedQuery } from '../../../../session/meta-queries.server.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Field } from '../../../../ui/field.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Sheet } from '../../../../ui/sheet.tsx';
import { useToast } from '../../../../ui/use-toast.ts';
import type { DraftActions } from '../drafts/use-drafts.ts';
import { postForm } from '../run/sql-api.ts';
import { usePath } from '../use-path.ts';
import { PanelState } from './panel-state.tsx';
import { useLoaded } from './use-loaded.ts';
import { savedOf } from './use-saving.ts';

/** Props of {@link SavedSheet}. */
interface SavedSheetProps {
  open: boolean;
  onOpenChange(isOpen: boolean): void;
  trigger: ReactElement;
  drafts: DraftActions;
  onDone(): void;
}

/** Loads the queries whenever it opens. */
export function SavedSheet({ drafts, onDone, ...sheet }: SavedSheetProps) {
  const texts = useTexts(sqlLibraryTexts);
  return (
    <Sheet {...sheet} title={texts.saved.title} description={texts.saved.text}>
      <SavedList drafts={drafts} onDone={onDone} />
    </Sheet>
  );
}

function SavedList({ drafts, onDone }: { drafts: DraftActions; onDone(): void }) {
  const texts = useTexts(sqlLibraryTexts);
  const path = usePath();
  const [loaded, reload] = useLoaded<{ queries: SavedQuery[] }>(path('/admin/sql/queries'));
  const [search, setSearch] = useState('');
  if (loaded.kind !== 'loaded') return <PanelState loaded={loaded} onRetry={reload} />;
  const { queries } = loaded.value;
  const wanted = search.trim().toLowerCase();
  const found = queries.filter(({ name }) => name.toLowerCase().includes(wanted));
  const open = (query: SavedQuery) => {
    const known = drafts.open?.drafts.find(({ saved }) => saved?.id === query.id);
    if (known) drafts.select(known.id);
    else drafts.add({ name: query.name, sql: query.sql, saved: savedOf(query) });
    onDone();
  };
  return (
    <div className="grid gap-3">
      <Field
        type="search"
        label={texts.saved.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <EmptyState icon="lucide:bookmark" title={texts.saved.empty} text={texts.saved.emptyText} level={3} />
      )}
      <ul className="grid divide-y divide-line">
        {found.map((query) => (
          <SavedItem key={query.id} query={query} onOpen={() => open(query)} onDeleted={reload} />
        ))}
      </ul>
    </div>
  );
}

function SavedItem(props: { query: SavedQuery; onOpen(): void; onDeleted(): void }) {
  const { query, onOpen, onDeleted } = props;
  const texts = useTexts(sqlLibraryTexts);
  const [isConfirming, setConfirming] = useState(false);
  const remove = useRemove(query, onDeleted);
  return (
    <li className="grid gap-2 py-2.5">
      <div className="flex items-start gap-2">
        <button
          type="button"
          aria-label={texts.saved.open(query.name)}
          onClick={onOpen}
          className="min-w-0 flex-1 rounded-control px-2 py-1 text-start hover:bg-hover"
        >
          <span className="flex items-center gap-2 font-medium">
            <span className="truncate">{query.name}</span>
            {query.is_shared && <Badge tone="info">{texts.saved.isShared}</Badge>}
          </span>
          <span className="block truncate font-mono text-caption text-ink-muted">{query.sql}</span>
          {query.updated_by && (
            <span className="block text-caption text-ink-muted">{texts.saved.by(query.updated_by)}</span>
          )}
        </button>
        <IconButton
          icon="lucide:trash-2"
          label={texts.saved.delete(query.name)}
          onClick={() => setConfirming(!isConfirming)}
          aria-expanded={isConfirming}
        />
      </div>
      {isConfirming && (
        <div className="flex items-center justify-end gap-2 text-small">
          {texts.saved.confirmDelete}
          <Button type="button" size="small" variant="danger" onClick={() => void remove()}>
            {texts.saved.deleteNow}
          </Button>
        </div>
      )}
    </li>
  );
}

function useRemove(query: SavedQuery, onDeleted: () => void): () => Promise<void> {
  const path = usePath();
  const texts = useTexts(sqlLibraryTexts);
  const { problems } = useTexts(adminSqlTexts);
  const { add } = useToast();
  return async () => {
    const fields = { intent: 'delete', query: query.id, version: String(query.version) };
    try {
      await postForm(path('/admin/sql/queries'), fields);
      add({ kind: 'success', title: texts.saved.deletedToast });
    } catch (error) {
      add({ kind: 'error', title: (error as Error).message || problems.other });
    }
    // Also shows a change of another administrator, which has prevented the deletion.
    onDeleted();
  };
}
