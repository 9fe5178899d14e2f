/** A dialog along the edge of the screen: details of an entry, while its list stays visible. */
import { DialogBase, type DialogProps } from './dialog.tsx';

/** A dialog at the edge of the screen. */
export function Sheet(props: DialogProps) {
  return (
    <DialogBase
      {...props}
      position="justify-end"
      panel="h-full w-full max-w-md rounded-none border-y-0 border-e-0 group-data-[state=open]:animate-sheet-in
        group-data-[state=closed]:animate-sheet-out"
    />
  );
}
