/** A dialog along the edge of the screen: details of one thing, with the list it came from still in sight. */
import { DialogBase, type DialogProps } from './dialog.tsx';

/** See the head of this file. */
export function Sheet(props: DialogProps) {
  return (
    <DialogBase
      {...props}
      place="justify-end"
      panel="h-full w-full max-w-md rounded-none border-y-0 border-e-0 group-data-[state=open]:animate-sheet-in
        group-data-[state=closed]:animate-sheet-out"
    />
  );
}
