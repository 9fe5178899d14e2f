/** A sentence about the access of a role, with its SQL set apart. */
import { Fragment } from 'react';
import type { Part } from './words.ts';

/** Shows a sentence. */
export function Sentence({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no identity
          <Fragment key={index}>{part}</Fragment>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no identity
          <Code key={index} text={part.code} />
        ),
      )}
    </>
  );
}

/** SQL within a text. */
export function Code({ text }: { text: string }) {
  return (
    <code className="rounded-sm bg-sunken px-1 font-mono text-small [overflow-wrap:anywhere] text-ink">
      {text}
    </code>
  );
}

/** SQL as a block. */
export function SqlBlock({ label, sql }: { label: string; sql: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="text-small font-medium text-ink-muted">{label}</p>
      <SqlText label={label} sql={sql} />
    </div>
  );
}

function SqlText({ label, sql }: { label: string; sql: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
      tabIndex={0}
      aria-label={label}
      className="overflow-x-auto rounded-control border border-line bg-sunken"
    >
      <pre className="p-3 font-mono text-small">{sql}</pre>
    </section>
  );
}
