/** An editor for metadata as JSON, which checks them while typing. */
import { useState } from 'react';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import { parseMetadata } from './metadata.ts';

/** `defaultValue` is the text of a JSON object. */
export function MetadataField(props: { label: string; name: string; defaultValue: string; hint?: string }) {
  const { label, name, defaultValue, hint } = props;
  const { problems } = useTexts(adminUsersTexts);
  const [text, setText] = useState(defaultValue);
  const parsed = parseMetadata(text);
  const error =
    'problem' in parsed ? [problems[parsed.problem], parsed.detail].filter(Boolean).join(' ') : undefined;
  return (
    <TextArea
      label={label}
      name={name}
      value={text}
      onChange={(event) => setText(event.target.value)}
      hint={hint}
      error={error}
      spellCheck={false}
      className="font-mono text-small"
    />
  );
}
