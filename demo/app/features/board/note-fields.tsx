/** Fields of the forms of a note. */
import { Icon, useTexts } from 'greenroom/app';
import { Tooltip } from 'greenroom/app/ui/tooltip';
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import { boardTexts } from '../../texts/board.ts';
import { MAX_NOTE_CHARACTERS, NOTE_COLORS, type NoteColor } from './note.ts';
import { NOTE_CLASSES } from './note-classes.ts';

/** The text. Enter submits the form; on touch devices, it starts a new line. */
export function NoteText(props: {
  label: string;
  id?: string;
  defaultValue?: string | undefined;
  placeholder?: string;
  problem?: 'empty' | 'tooLong' | undefined;
  hint?: string;
  /** Shown at the end of the line of the hint. */
  hintEnd?: ReactNode;
  ref?: Ref<HTMLTextAreaElement>;
  onEscape(): void;
  onWrite?(): void;
}) {
  const { label, id: ownId, problem, hint, hintEnd, onEscape, onWrite, ...textarea } = props;
  const texts = useTexts(boardTexts);
  const generatedId = useId();
  const id = ownId ?? generatedId;
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        {...textarea}
        id={id}
        name="text"
        rows={2}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy || undefined}
        onKeyDown={(event) => handleKey(event, onEscape)}
        onInput={onWrite}
        className="control field-sizing-content max-h-96 min-h-18 w-full resize-y px-3 py-2"
      />
      {problem && (
        <p id={`${id}-problem`} role="alert" className="flex items-start gap-1.5 text-small text-danger-ink">
          <Icon name="alert" className="mt-0.5 size-4" />
          {problem === 'tooLong' ? texts.textTooLong(MAX_NOTE_CHARACTERS) : texts.textMissing}
        </p>
      )}
      {hint && (
        // The minimum height of a line avoids a layout shift when other users start to write.
        <div className="flex min-h-5 flex-wrap justify-between gap-x-6">
          <p id={`${id}-hint`} className="text-small text-ink-muted pointer-coarse:sr-only">
            {hint}
          </p>
          {hintEnd}
        </div>
      )}
    </div>
  );
}

function handleKey(event: KeyboardEvent<HTMLTextAreaElement>, onEscape: () => void): void {
  const { key, shiftKey, nativeEvent, currentTarget } = event;
  if (nativeEvent.isComposing) return;
  if (key === 'Escape') onEscape();
  if (key !== 'Enter' || shiftKey || matchMedia('(pointer: coarse)').matches) return;
  event.preventDefault();
  currentTarget.form?.requestSubmit();
}

/** The choice of a colour. Each colour has a name for users who cannot distinguish them. */
export function ColorChoice({ chosen }: { chosen: NoteColor }) {
  const texts = useTexts(boardTexts);
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{texts.color}</legend>
      {NOTE_COLORS.map((color) => (
        <Tooltip key={color} text={texts.colors[color]}>
          <label
            className="relative flex size-8 cursor-pointer items-center justify-center rounded-full has-focus-visible:outline-2
            has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="color"
              value={color}
              defaultChecked={color === chosen}
              className="peer absolute inset-0 cursor-pointer opacity-0"
            />
            <span
              className={`flex size-6 items-center justify-center rounded-full border peer-checked:ring-2
              peer-checked:ring-ink-muted ${NOTE_CLASSES[color]}`}
            />
            <span className="sr-only">{texts.colors[color]}</span>
          </label>
        </Tooltip>
      ))}
    </fieldset>
  );
}
