/**
 * Notifies of unsent edits that a user left in this browser when their session expired. The
 * next user learns only their number, never their content.
 */
import { useState } from 'react';
import { deleteUnsentEdits } from '../../lib/unsent-edits.ts';
import { unsentChangesTexts } from '../../texts/unsent-changes.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

/** `count` is at least 1. */
export default function UnsentEditsNotice({ count }: { count: number }) {
  const texts = useTexts(unsentChangesTexts).login;
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <Alert kind="info" title={texts.title}>
      <p>{isConfirming ? texts.confirmText : texts.text(count)}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {isConfirming ? (
          <>
            {/* Takes the position of the previous button, so that a double click keeps the edits. */}
            <Button type="button" size="small" autoFocus onClick={() => setIsConfirming(false)}>
              {texts.cancel}
            </Button>
            <Button type="button" size="small" variant="danger" onClick={() => deleteUnsentEdits(window)}>
              {texts.confirm}
            </Button>
          </>
        ) : (
          <Button type="button" size="small" onClick={() => setIsConfirming(true)}>
            {texts.delete}
          </Button>
        )}
      </div>
    </Alert>
  );
}
