/**
 * Edits of the board that somebody left in this browser unsent, because their session ended by itself: whoever signs in
 * next is told that they are there, and never what is in them.
 */
import { useState } from 'react';
import { forgetKeptEdits } from '../../lib/kept-edits.ts';
import { unsentTexts } from '../../texts/unsent.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

/** `count` of them; it is not 0. */
export default function KeptEditsNotice({ count }: { count: number }) {
  const texts = useTexts(unsentTexts).login;
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Alert kind="info" title={texts.title}>
      <p>{isAsked ? texts.ask : texts.text(count)}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {isAsked ? (
          <>
            {/* Where the button before was: who presses twice keeps them. */}
            <Button type="button" size="small" autoFocus onClick={() => setIsAsked(false)}>
              {texts.keep}
            </Button>
            <Button type="button" size="small" look="danger" onClick={() => forgetKeptEdits(window)}>
              {texts.deleteYes}
            </Button>
          </>
        ) : (
          <Button type="button" size="small" onClick={() => setIsAsked(true)}>
            {texts.delete}
          </Button>
        )}
      </div>
    </Alert>
  );
}
