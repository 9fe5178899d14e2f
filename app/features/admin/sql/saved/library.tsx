/** The header's actions: saves the open query, and opens saved queries and the history. */
import { useState } from 'react';
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import type { Draft } from '../drafts/drafts.ts';
import type { DraftActions } from '../drafts/use-drafts.ts';
import type { RunActions } from '../run/use-runs.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { HistorySheet } from './history-sheet.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { SavedSheet } from './saved-sheet.tsx';
import { useSaving } from './use-saving.ts';

/** Props of {@link Library}. */
interface LibraryProps {
  drafts: DraftActions;
  active: Draft;
  runs: RunActions;
  /** Returns the text of the editor. */
  text(): string;
}

type Panel = 'save' | 'saved' | 'history';

/** A saved query is saved again without a dialog. */
export function Library({ drafts, active, runs, text }: LibraryProps) {
  const texts = useTexts(sqlLibraryTexts);
  const [panel, setPanel] = useState<Panel>();
  const saving = useSaving(drafts);
  const { saved } = active;
  const isUnchanged = saved !== undefined && saved.sql === active.sql;
  const panelProps = (name: Panel) => ({
    open: panel === name,
    onOpenChange: (isOpen: boolean) => setPanel(isOpen ? name : undefined),
  });
  const saveNow = () => {
    if (saved === undefined) return setPanel('save');
    void saving.save(active, { name: active.name, sql: text(), isShared: saved.isShared });
  };
  return (
    <>
      <SaveDialog
        {...panelProps('save')}
        trigger={
          saved === undefined ? (
            <Button type="button">{texts.saved.save}</Button>
          ) : (
            <Button
              type="button"
              disabled={isUnchanged}
              isPending={saving.isSaving}
              onClick={(event) => {
                event.preventDefault();
                saveNow();
              }}
            >
              {isUnchanged ? texts.saved.unchanged : texts.saved.save}
            </Button>
          )
        }
        saving={saving}
        draft={active}
        text={text}
        onSaved={() => setPanel(undefined)}
      />
      <SavedSheet
        {...panelProps('saved')}
        trigger={<Button type="button">{texts.saved.title}</Button>}
        drafts={drafts}
        onDone={() => setPanel(undefined)}
      />
      <HistorySheet
        {...panelProps('history')}
        trigger={<Button type="button">{texts.history.title}</Button>}
        drafts={drafts}
        runs={runs}
        onDone={() => setPanel(undefined)}
      />
      {saving.conflict && <ConflictDialog saving={saving} conflict={saving.conflict} drafts={drafts} />}
    </>
  );
}
