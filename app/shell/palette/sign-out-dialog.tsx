/** Confirmation before sessions on other devices are ended. */
import { useState } from 'react';
import type { SignOutScope } from '../../session/scopes.ts';
import { paletteTexts } from '../../texts/palette.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { returnFocus } from '../shortcuts/overlay.ts';

/** The scopes that include other devices. */
export type RemoteScope = Exclude<SignOutScope, 'local'>;

/** The dialog is open if `scope` is set. */
export function SignOutDialog(props: {
  scope: RemoteScope | undefined;
  close(): void;
  submit(scope: RemoteScope): void;
}) {
  const { scope, close, submit } = props;
  const texts = useTexts(paletteTexts);
  // The last texts stay visible during the closing animation.
  const [shown, setShown] = useState<RemoteScope>('others');
  if (scope !== undefined && scope !== shown) setShown(scope);
  const { title, text } = texts.confirm[shown];
  return (
    <Dialog
      open={scope !== undefined}
      onOpenChange={close}
      onCloseAutoFocus={returnFocus}
      title={title}
      description={text}
      footer={
        <>
          <DialogClose asChild>
            <Button type="button">{texts.confirm.cancel}</Button>
          </DialogClose>
          <DialogClose asChild>
            <Button type="button" variant="danger" onClick={() => submit(shown)}>
              {texts.signOut[shown].label}
            </Button>
          </DialogClose>
        </>
      }
    />
  );
}
