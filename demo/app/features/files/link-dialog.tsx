/** A dialog that creates a temporary link to a file, and copies it. */
import {
  Button,
  Dialog,
  type DurationUnit,
  Field,
  formatDuration,
  Select,
  useLanguage,
  useTexts,
  useToast,
} from 'greenroom/app';
import { useState } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { focusEntry } from './entry-focus.ts';
import { type OwnerStorage, signFile } from './file-calls.ts';
import type { FileEntry } from './file-entry.ts';
import type { FilesProblem } from './files-data.ts';

/** A lifetime in seconds, and in the unit in which it is shown. */
interface Lifetime {
  seconds: number;
  count: number;
  unit: DurationUnit;
}

const LIFETIMES = {
  hour: { seconds: 3600, count: 1, unit: 'hour' },
  day: { seconds: 86_400, count: 1, unit: 'day' },
  week: { seconds: 604_800, count: 1, unit: 'week' },
  month: { seconds: 2_592_000, count: 30, unit: 'day' },
} satisfies Record<string, Lifetime>;

type LifetimeName = keyof typeof LIFETIMES;

/** Asks for the lifetime, and copies the link. */
export function LinkDialog(props: { ownerStorage: OwnerStorage; entry: FileEntry; onClose(): void }) {
  const { ownerStorage, entry, onClose } = props;
  const texts = useTexts(filesToolsTexts);
  const language = useLanguage();
  const { problems } = useTexts(filesTexts);
  const { add } = useToast();
  const [lifetime, setLifetime] = useState<LifetimeName>('day');
  const [problem, setProblem] = useState<FilesProblem>();
  const [linkToCopy, setLinkToCopy] = useState<string>();
  const [isPending, setIsPending] = useState(false);
  const durationOf = (name: LifetimeName) =>
    formatDuration(LIFETIMES[name].count, LIFETIMES[name].unit, language);
  const copy = async () => {
    setIsPending(true);
    const signed = await signFile(ownerStorage, entry.path, LIFETIMES[lifetime].seconds);
    setIsPending(false);
    setProblem(signed.problem);
    if (signed.value === undefined) return;
    try {
      await navigator.clipboard.writeText(signed.value);
      add({
        kind: 'success',
        title: texts.linkCopied,
        description: texts.linkExpiresAfter(durationOf(lifetime)),
      });
      onClose();
    } catch {
      setLinkToCopy(signed.value);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onCloseAutoFocus={(event) => focusEntry(entry.path, event)}
      title={texts.shareTitle(entry.name)}
      description={texts.shareText}
      footer={
        <>
          <Button type="button" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="button" variant="primary" isPending={isPending} onClick={copy}>
            {texts.copyLink}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Select
          label={texts.linkLifetime}
          value={lifetime}
          error={problem && problems[problem]}
          onChange={({ currentTarget }) => setLifetime(currentTarget.value as LifetimeName)}
        >
          {(Object.keys(LIFETIMES) as LifetimeName[]).map((name) => (
            <option key={name} value={name}>
              {durationOf(name)}
            </option>
          ))}
        </Select>
        {linkToCopy && (
          <Field
            label={texts.link}
            value={linkToCopy}
            readOnly
            hint={texts.copyManually}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
      </div>
    </Dialog>
  );
}
