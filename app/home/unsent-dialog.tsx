/** Asks before somebody signs out whose edits are not sent yet: on a shared device, nothing of them may be left behind. */
import { useEffect, useRef, useState } from 'react';
import { countKeptEdits, forgetKeptEdits } from '../board/kept-edits.ts';
import { useSession } from '../session/session-provider.tsx';
import { closeOverlay, returnFocus } from '../shortcuts/overlay.ts';
import { unsentTexts } from '../texts/unsent.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { askedScope } from './unsent.ts';
import { useSignOut } from './use-sign-out.ts';

/** See the head of this file. */
export default function UnsentDialog({ isOpen }: { isOpen: boolean }) {
  const texts = useTexts(unsentTexts).signOut;
  const { user } = useSession();
  const { submitAnyway } = useSignOut();
  const forgetOnceGone = useForgetting(user?.sub);
  // Its words stay while it leaves.
  const [count, setCount] = useState(0);
  const now = isOpen && user ? countKeptEdits(window, user.sub) : 0;
  if (now !== 0 && now !== count) setCount(now);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={closeOverlay}
      onCloseAutoFocus={returnFocus}
      title={texts.title}
      description={texts.text(count)}
      footer={
        <>
          <DialogClose asChild>
            <Button type="button">{texts.stay}</Button>
          </DialogClose>
          <DialogClose asChild>
            <Button
              type="button"
              look="danger"
              onClick={() => {
                forgetOnceGone();
                submitAnyway(askedScope());
              }}
            >
              {texts.leave}
            </Button>
          </DialogClose>
        </>
      }
    />
  );
}

/** Gives what deletes a person's edits once they are signed out, and not where that fails. */
function useForgetting(userId: string | undefined): () => void {
  const leaving = useRef<string>(undefined);
  useEffect(() => {
    if (leaving.current === undefined || leaving.current === userId) return;
    forgetKeptEdits(window, leaving.current);
    leaving.current = undefined;
  }, [userId]);
  return () => {
    leaving.current = userId;
  };
}
