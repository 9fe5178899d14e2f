/** Bytes as hex or Base64 text, or as a file. */
import { type ChangeEvent, useRef, useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { SegmentedRadios } from '../../../../ui/segmented-control.tsx';
import { base64ToHex, bytesToHex, hexToBase64, hexToBytes } from '../bytes-text.ts';
import type { ControlProps } from './control-props.ts';

/** A request has at most 4 MB, and hex doubles the size. */
const MAX_FILE_BYTES = 1_500_000;

/** The text is in PostgreSQL's hex form, regardless of the shown encoding. */
export function BytesControl({ column, text, onText, label, describedBy, isFocused }: ControlProps) {
  const { edit } = useTexts(adminTablesTexts);
  const [encoding, setEncoding] = useState<'hex' | 'base64'>('hex');
  const [base64, setBase64] = useState('');
  const [isTooLarge, setTooLarge] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  function choose(next: 'hex' | 'base64') {
    setBase64(hexToBase64(text) ?? '');
    setEncoding(next);
  }
  function change(value: string) {
    if (encoding === 'hex') return onText(value);
    setBase64(value);
    // An invalid text stays one, so that it is not stored.
    onText(base64ToHex(value) ?? value);
  }
  async function upload(event: ChangeEvent<HTMLInputElement>) {
    const chosen = event.target.files?.[0];
    event.target.value = '';
    if (!chosen) return;
    setTooLarge(chosen.size > MAX_FILE_BYTES);
    if (chosen.size > MAX_FILE_BYTES) return;
    const hex = bytesToHex(new Uint8Array(await chosen.arrayBuffer()));
    setBase64(hexToBase64(hex) ?? '');
    onText(hex);
  }
  function download() {
    const url = URL.createObjectURL(new Blob([hexToBytes(text) ?? '']));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${column.name}.bin`;
    link.click();
    URL.revokeObjectURL(url);
  }

  return (
    <div className="grid gap-2">
      <SegmentedRadios
        label={edit.encoding}
        options={[
          { value: 'hex', label: edit.hex },
          { value: 'base64', label: edit.base64 },
        ]}
        value={encoding}
        onChange={choose}
      />
      <textarea
        aria-label={label}
        aria-describedby={describedBy}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the editor of this value
        autoFocus={isFocused}
        rows={3}
        value={encoding === 'hex' ? text : base64}
        onChange={(event) => change(event.target.value)}
        className="control max-h-60 min-h-20 w-full resize-y px-2 py-1.5 font-mono break-all"
      />
      <div className="flex flex-wrap gap-2">
        <input ref={file} type="file" hidden aria-label={edit.upload} onChange={upload} />
        <Button size="small" onClick={() => file.current?.click()}>
          {edit.upload}
        </Button>
        <Button size="small" disabled={hexToBytes(text) === undefined} onClick={download}>
          {edit.download}
        </Button>
      </div>
      {isTooLarge && (
        <p role="alert" className="text-small text-danger-ink">
          {edit.fileTooLarge}
        </p>
      )}
    </div>
  );
}
