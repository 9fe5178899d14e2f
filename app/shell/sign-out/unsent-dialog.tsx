/**
 * Confirmation before a sign-out with unsent edits or running uploads: on a shared device, nothing of them
 * may remain.
 */
import { useEffect, useRef, useState } from 'react';
import { countRunningUploads } from '../../lib/running-uploads.ts';
import { countUnsentEdits, deleteUnsentEdits } from '../../lib/unsent-edits.ts';
import { useSession } from '../../session/session-provider.tsx';
import { unsentChangesTexts } from '../../texts/unsent-changes.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { closeOverlay, returnFocus } from '../shortcuts/overlay.ts';
import { requestedScope } from './unsent.ts';
import { useSignOut } from './use-sign-out.ts';

/** Confirms that unsent edits and running uploads are discarded. */
export default function UnsentDialog({ isOpen }: { isOpen: boolean }) {
  const texts = useTexts(unsentChangesTexts).signOut;
  const { user } = useSession();
  const { submitAnyway } = useSignOut();
  const deleteAfterSignOut = useDeletionAfterSignOut(user?.sub);
  // The last counts stay visible during the closing animation.
  const [counts, setCounts] = useState({ edits: 0, uploads: 0 });
  const edits = isOpen && user ? countUnsentEdits(window, user.sub) : 0;
  const uploads = isOpen && user ? countRunningUploads(user.sub) : 0;
  const isNew = edits !== counts.edits || uploads !== counts.uploads;
  if (edits + uploads !== 0 && isNew) setCounts({ edits, uploads });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={closeOverlay}
      onCloseAutoFocus={returnFocus}
      title={texts.title}
      description={[
        counts.edits > 0 && texts.edits(counts.edits),
        counts.uploads > 0 && texts.uploads(counts.uploads),
      ]
        .filter(Boolean)
        .join(' ')}
      footer={
        <>
          <DialogClose asChild>
            <Button type="button">{texts.cancel}</Button>
          </DialogClose>
          <DialogClose asChild>
            <Button
              type="button"
              variant="danger"
              onClick={() => {
                deleteAfterSignOut();
                submitAnyway(requestedScope());
              }}
            >
              {counts.edits > 0 ? texts.deleteEdits : texts.cancelUploads}
            </Button>
          </DialogClose>
        </>
      }
    />
  );
}

/**
 * Returns a function that schedules the deletion of the user's edits for the moment when they are signed
 * out; if the sign-out fails, nothing is deleted.
 */
function useDeletionAfterSignOut(userId: string | undefined): () => void {
  const signingOutUserId = useRef<string>(undefined);
  useEffect(() => {
    if (signingOutUserId.current === undefined || signingOutUserId.current === userId) return;
    deleteUnsentEdits(window, signingOutUserId.current);
    signingOutUserId.current = undefined;
  }, [userId]);
  return () => {
    signingOutUserId.current = userId;
  };
}
