/** The confirmation before rows are deleted. */
import { useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import type { TableInfo } from '../table-model.ts';

/** Names the tables whose rows are deleted, too. */
export function DeleteDialog(props: {
  table: TableInfo;
  count: number;
  onConfirm(): Promise<void>;
  onClose(): void;
}) {
  const { table, count, onConfirm, onClose } = props;
  const { remove } = useTexts(adminTablesTexts);
  const [isPending, setPending] = useState(false);
  return (
    <Dialog
      open
      title={remove.title(count)}
      description={remove.text}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      footer={
        <>
          <Button onClick={onClose}>{remove.cancel}</Button>
          <Button
            variant="danger"
            isPending={isPending}
            onClick={() => {
              setPending(true);
              void onConfirm();
            }}
          >
            {remove.confirm}
          </Button>
        </>
      }
    >
      {table.cascades.length > 0 && (
        <Alert kind="warning">{remove.cascades(table.cascades.join(', '))}</Alert>
      )}
    </Dialog>
  );
}
