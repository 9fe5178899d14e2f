/** A dialog for the name of a new folder, or a new name of an entry. */
import { Button, Dialog, Field, useTexts } from 'greenroom/app';
import { useState } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { focusEntry, NEW_FOLDER } from './entry-focus.ts';
import type { Entry } from './file-entry.ts';
import type { FilesProblem } from './files-data.ts';

/** Without an entry it is for a new folder. */
interface NameDialogProps {
  entry?: Entry;
  onSave(name: string): Promise<FilesProblem | undefined>;
  onClose(): void;
}

const FORM_ID = 'file-name-form';

/** Asks for a name. */
export function NameDialog({ entry, onSave, onClose }: NameDialogProps) {
  const texts = useTexts(filesToolsTexts);
  const { problems, newFolder, createFolder } = useTexts(filesTexts);
  const [problem, setProblem] = useState<FilesProblem>();
  const [isPending, setIsPending] = useState(false);
  const save = async (name: string) => {
    setIsPending(true);
    const newProblem = await onSave(name);
    setIsPending(false);
    setProblem(newProblem);
    if (newProblem === undefined) onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onCloseAutoFocus={(event) => focusEntry(entry?.path ?? NEW_FOLDER, event)}
      title={entry ? texts.renameTitle(entry.name) : newFolder}
      footer={
        <>
          <Button type="button" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" form={FORM_ID} variant="primary" isPending={isPending}>
            {entry ? texts.rename : createFolder}
          </Button>
        </>
      }
    >
      <form
        id={FORM_ID}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(String(new FormData(event.currentTarget).get('name') ?? ''));
        }}
      >
        <Field
          label={entry ? texts.newName : texts.folderName}
          name="name"
          autoComplete="off"
          defaultValue={entry?.name ?? ''}
          hint={texts.nameHint}
          error={problem && problems[problem]}
          ref={selectBaseName}
        />
      </form>
    </Dialog>
  );
}

/** Focuses the field and selects the name without its extension, which most users keep. */
function selectBaseName(input: HTMLInputElement | null): void {
  if (!input) return;
  input.focus();
  const dot = input.value.lastIndexOf('.');
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
}
