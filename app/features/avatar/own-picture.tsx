/** The user's picture on their account page. The crop dialog is loaded after a file was selected. */
import { lazy, Suspense, useRef, useState } from 'react';
import { retriableImport } from '../../lib/modules/retriable-import.ts';
import { Optional } from '../../lib/optional.tsx';
import { usePage } from '../../lib/page/page-context.tsx';
import { useIsHydrated } from '../../lib/use-is-hydrated.ts';
import { useSession } from '../../session/session-provider.tsx';
import { usePicture } from '../../session/use-picture.ts';
import { pictureTexts } from '../../texts/account-picture.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/use-toast.ts';

const CropDialog = lazy(() => import('./crop-dialog.tsx'));
const loadChange = retriableImport(() => import('./change-picture.ts'));

interface OwnPictureProps {
  /** The user's name. */
  name: string;
  /** Whether the server can store a picture. */
  canChange: boolean;
}

/** Shows the picture, and with scripts the buttons that change it. */
export function OwnPicture({ name, canChange }: OwnPictureProps) {
  const { user } = useSession();
  const picture = usePicture(user?.user_metadata ?? {});
  const isHydrated = useIsHydrated();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <p className="flex min-w-0 grow basis-56 items-center gap-3">
        <Avatar name={name} src={picture} size="3xl" />
        <BreakableText text={name} className="min-w-0 text-body" />
      </p>
      {isHydrated && user && canChange && (
        <Tools metadata={user.user_metadata} hasPicture={picture !== undefined} />
      )}
    </div>
  );
}

function Tools(props: { metadata: Record<string, unknown>; hasPicture: boolean }) {
  const { metadata, hasPicture } = props;
  const texts = useTexts(pictureTexts);
  const { config } = usePage();
  const { add } = useToast();
  const [file, setFile] = useState<File>();
  const [isPending, setIsPending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  /** Saves or removes the picture; a toast shows the result. */
  const change = async (picture: Blob | undefined): Promise<boolean> => {
    setIsPending(true);
    const isDone = await loadChange().then(
      ({ changePicture }) => changePicture(config, metadata, picture),
      () => false,
    );
    setIsPending(false);
    if (isDone) add({ kind: 'success', title: picture ? texts.saved : texts.removed });
    else add({ kind: 'error', title: texts.failed });
    return isDone;
  };
  return (
    <div className="flex flex-wrap gap-2">
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={texts.choose}
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0]);
          // Reset, so that the same file can be selected again.
          currentTarget.value = '';
        }}
      />
      <Button ref={opener} type="button" size="small" onClick={() => input.current?.click()}>
        {hasPicture ? texts.change : texts.choose}
      </Button>
      {hasPicture && (
        <Button
          type="button"
          variant="ghost"
          size="small"
          isPending={isPending && !file}
          onClick={() => {
            opener.current?.focus();
            void change(undefined);
          }}
        >
          {texts.remove}
        </Button>
      )}
      {file && (
        <Optional>
          <Suspense>
            <CropDialog
              file={file}
              isPending={isPending}
              onSave={(picture) => void change(picture).then((isDone) => isDone && setFile(undefined))}
              onClose={() => setFile(undefined)}
              onCloseAutoFocus={(event) => {
                event.preventDefault();
                opener.current?.focus();
              }}
            />
          </Suspense>
        </Optional>
      )}
    </div>
  );
}
