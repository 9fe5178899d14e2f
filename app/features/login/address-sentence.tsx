/** A sentence that contains an email address or phone number. */

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
      <strong className="font-medium break-all text-ink">{address}</strong>
      {after}
    </>
  );
}
