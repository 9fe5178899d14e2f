/** Shows which users are writing. */
import { boardTexts } from '../../texts/board.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';

/** Empty if there are none. */
export function Writers({ names, className = '' }: { names: readonly string[]; className?: string }) {
  const texts = useTexts(boardTexts);
  if (names.length === 0) return null;
  const list = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(` ${texts.and} `);
  return (
    <p className={`flex min-w-0 items-center gap-1.5 text-small text-ink-muted ${className}`}>
      <Icon name="lucide:pencil-line" className="size-3.5" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {names.length === 1 ? texts.writes(list) : texts.write(list)}
      </span>
    </p>
  );
}
