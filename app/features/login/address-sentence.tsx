/** A sentence that contains an email address or phone number. */
import { BreakableText } from '../../ui/breakable-text.tsx';

/** Emphasizes the address; long addresses wrap. */
export function AddressSentence({
  text: { before, after },
  address,
}: {
  text: { before: string; after: string };
  address: string;
}) {
  return (
    <>
      {before}
      <strong className="font-medium text-ink">
        <BreakableText text={address} />
      </strong>
      {after}
    </>
  );
}
