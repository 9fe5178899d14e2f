/** Shows both versions of a query that two administrators have changed; nothing is overwritten without a decision. */
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import type { DraftActions } from '../drafts/use-drafts.ts';
import { type SaveConflict, type Saving, savedOf } from './use-saving.ts';

/** Closing it keeps the own version as a draft. */
export function ConflictDialog(props: { saving: Saving; conflict: SaveConflict; drafts: DraftActions }) {
  const { saving, conflict, drafts } = props;
  const { draft, values, current } = conflict;
  const texts = useTexts(sqlLibraryTexts).saved;
  const openTheirs = () => {
    drafts.add({ name: current.name, sql: current.sql, saved: savedOf(current) });
    saving.endConflict();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) saving.endConflict();
      }}
      title={texts.conflict}
      description={texts.conflictText(current.updated_by ?? texts.someone)}
      footer={
        <>
          <Button type="button" onClick={openTheirs}>
            {texts.openTheirs}
          </Button>
          <Button
            type="button"
            variant="primary"
            isPending={saving.isSaving}
            onClick={() => void saving.save(draft, values, current.version)}
          >
            {texts.keepYours}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Version title={texts.theirs} sql={current.sql} />
        <Version title={texts.yours} sql={values.sql} />
      </div>
    </Dialog>
  );
}

function Version({ title, sql }: { title: string; sql: string }) {
  return (
    <section aria-label={title}>
      <h3 className="text-small font-medium">{title}</h3>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
        tabIndex={0}
        className="mt-1 max-h-48 overflow-auto rounded-control bg-sunken p-3 font-mono text-small whitespace-pre-wrap"
      >
        {sql}
      </pre>
    </section>
  );
}
