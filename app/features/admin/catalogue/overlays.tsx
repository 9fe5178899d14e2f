/** Components that are shown above the page. */
import { formatSize } from '../../../lib/format/size.ts';
import { catalogueTexts } from '../../../texts/catalogue.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionItem, DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog, DialogClose } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { Entry } from './entry.tsx';

const NOTE_BYTES = 128_000;

/** The entries of this group. */
export function OverlayEntries() {
  const { descriptions, samples } = useTexts(catalogueTexts);
  return (
    <>
      <Entry name="Dialog" description={descriptions.dialog}>
        <DeleteDialog />
      </Entry>
      <Entry name="Sheet" description={descriptions.sheet}>
        <NoteSheet />
      </Entry>
      <Entry name="Tooltip" description={descriptions.tooltip}>
        <Tooltip
          text={
            <>
              {samples.search} <Kbd>K</Kbd>
            </>
          }
        >
          <Button type="button">{samples.search}</Button>
        </Tooltip>
        <Tooltip text={samples.edit}>
          <Button type="button">{samples.edit}</Button>
        </Tooltip>
      </Entry>
    </>
  );
}

function DeleteDialog() {
  const { samples } = useTexts(catalogueTexts);
  return (
    <Dialog
      trigger={<Button type="button">{samples.openDialog}</Button>}
      title={samples.dialogTitle}
      description={samples.dialogText}
      footer={
        <>
          <DialogClose asChild>
            <Button type="button">{samples.cancel}</Button>
          </DialogClose>
          <DialogClose asChild>
            <Button type="button" variant="danger">
              {samples.remove}
            </Button>
          </DialogClose>
        </>
      }
    />
  );
}

function NoteSheet() {
  const { samples } = useTexts(catalogueTexts);
  const language = useLanguage();
  return (
    <Sheet
      trigger={<Button type="button">{samples.openSheet}</Button>}
      title={samples.sheetTitle}
      description={samples.sheetText}
      footer={
        <DialogClose asChild>
          <Button type="button" variant="primary">
            {samples.save}
          </Button>
        </DialogClose>
      }
    >
      <div className="grid gap-4">
        <Field label={samples.name} autoComplete="off" />
        <div className="card">
          <DescriptionList>
            <DescriptionItem label={samples.status}>{samples.draft}</DescriptionItem>
            <DescriptionItem label={samples.size}>{formatSize(NOTE_BYTES, language)}</DescriptionItem>
          </DescriptionList>
        </div>
      </div>
    </Sheet>
  );
}
