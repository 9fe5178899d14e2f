/** A dialog that creates a temporary link to a file, and copies it. */
import { useState } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useToast } from '../../ui/use-toast.ts';
import { focusEntry } from './entry-focus.ts';
import { type OwnerStorage, signFile } from './file-calls.ts';
import type { FileEntry } from './file-entry.ts';
import type { FilesProblem } from './files-data.ts';

/** Lifetimes of a link in seconds. */
const LIFETIMES = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const;

type Lifetime = keyof typeof LIFETIMES;

/** Asks for the lifetime, and copies the link. */
export function LinkDialog(props: { ownerStorage: OwnerStorage; entry: FileEntry; onClose(): void }) {
  const { ownerStorage, entry, onClose } = props;
  const texts = useTexts(filesToolsTexts);
  const { problems } = useTexts(filesTexts);
  const { add } = useToast();
  const [lifetime, setLifetime] = useState<Lifetime>('day');
  const [problem, setProblem] = useState<FilesProblem>();
  const [byHand, setByHand] = useState<string>();
  const [isPending, setIsPending] = useState(false);
  const copy = async () => {
    setIsPending(true);
    const signed = await signFile(ownerStorage, entry.path, LIFETIMES[lifetime]);
    setIsPending(false);
    setProblem(signed.problem);
    if (signed.value === undefined) return;
    try {
      await navigator.clipboard.writeText(signed.value);
      add({ kind: 'success', title: texts.copied, description: texts.lifetimes[lifetime] });
      onClose();
    } catch {
      setByHand(signed.value);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onCloseAutoFocus={(event) => focusEntry(entry.path, event)}
      title={texts.linkTitle(entry.name)}
      description={texts.linkText}
      footer={
        <>
          <Button type="button" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="button" look="primary" isPending={isPending} onClick={copy}>
            {texts.copy}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Select
          label={texts.lifetime}
          value={lifetime}
          error={problem && problems[problem]}
          onChange={({ currentTarget }) => setLifetime(currentTarget.value as Lifetime)}
        >
          {(Object.keys(LIFETIMES) as Lifetime[]).map((each) => (
            <option key={each} value={each}>
              {texts.lifetimes[each]}
            </option>
          ))}
        </Select>
        {byHand && (
          <Field
            label={texts.link}
            value={byHand}
            readOnly
            hint={texts.copyByHand}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
      </div>
    </Dialog>
  );
}
