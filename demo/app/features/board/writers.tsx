/** Shows which users are writing. */
import { formatList, Icon, useLanguage, useTexts } from 'greenroom/app';
import { boardTexts } from '../../texts/board.ts';

/** Shows nothing if `names` is empty. */
export function Writers({ names, className = '' }: { names: readonly string[]; className?: string }) {
  const texts = useTexts(boardTexts);
  const language = useLanguage();
  if (names.length === 0) return null;
  return (
    <p className={`flex min-w-0 items-center gap-1.5 text-small text-ink-muted ${className}`}>
      <Icon name="lucide:pencil-line" className="size-3.5" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {texts.writing(formatList(names, language), names.length)}
      </span>
    </p>
  );
}
