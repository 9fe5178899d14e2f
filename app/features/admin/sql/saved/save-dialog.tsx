/** Asks for the name under which a query is saved. */
import { type FormEvent, type ReactElement, useState } from 'react';
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Field } from '../../../../ui/field.tsx';
import type { Draft } from '../drafts/drafts.ts';
import type { Saving } from './use-saving.ts';

/** Props of {@link SaveDialog}. */
interface SaveDialogProps {
  open: boolean;
  onOpenChange(isOpen: boolean): void;
  trigger: ReactElement;
  saving: Saving;
  draft: Draft;
  text(): string;
  onSaved(): void;
}

const MAX_NAME_CHARACTERS = 200;

/** Private unless it is shared. */
export function SaveDialog({ saving, draft, text, onSaved, ...dialog }: SaveDialogProps) {
  const texts = useTexts(sqlLibraryTexts);
  const [isNameMissing, setNameMissing] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The dialog is part of the page's form in React's tree.
    event.stopPropagation();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name') ?? '').trim();
    setNameMissing(name === '');
    if (name === '') return;
    const isSaved = await saving.save(draft, { name, sql: text(), isShared: form.get('shared') === 'on' });
    if (isSaved) onSaved();
  };
  return (
    <Dialog {...dialog} title={texts.saved.saveAs} description={texts.saved.text}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          name="name"
          label={texts.saved.name}
          defaultValue={draft.name}
          maxLength={MAX_NAME_CHARACTERS}
          autoComplete="off"
          error={isNameMissing ? texts.saved.nameMissing : undefined}
        />
        <Checkbox name="shared" label={texts.saved.shared} />
        <Button type="submit" variant="primary" isPending={saving.isSaving} className="justify-self-end">
          {texts.saved.save}
        </Button>
      </form>
    </Dialog>
  );
}
