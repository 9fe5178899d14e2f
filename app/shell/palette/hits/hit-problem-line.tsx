/** The line that explains why there are no hits, and what to do. */
import type { KeyboardEvent } from 'react';
import { paletteTexts } from '../../../texts/palette.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { HitProblem } from './hit-search.ts';

/** The palette's status announces the text, so it is hidden from screen readers here. */
export function HitProblemLine({ problem, retry }: { problem: HitProblem; retry(): void }) {
  const { hitProblems, retry: label } = useTexts(paletteTexts);
  return (
    <div className="flex items-center gap-3 border-t border-line px-4 py-2 text-small text-ink-muted">
      <Icon name="alert" className="size-4 text-warning-ink" />
      <p aria-hidden="true" className="min-w-0 flex-1">
        {hitProblems[problem]}
      </p>
      {problem !== 'refused' && (
        <Button type="button" size="small" onClick={retry} onKeyDown={keepKey}>
          {label}
        </Button>
      )}
    </div>
  );
}

/** The list around the button would run the selected command on Enter. */
function keepKey(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.stopPropagation();
}
