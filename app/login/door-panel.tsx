/** Says what Greenroom is while somebody signs in. Only on wide screens; nothing in it is needed to get in. */
import { loginTexts } from '../texts/login.ts';
import { useTexts } from '../texts/use-texts.ts';

/** See the head of this file. */
export function DoorPanel() {
  const { panel } = useTexts(loginTexts);
  return (
    <aside
      className="door-panel sticky top-3 m-3 ms-0 hidden h-[calc(100dvh-1.5rem)] min-h-136 flex-col overflow-hidden
      rounded-dialog border border-line lg:flex"
    >
      <OpenDoor />
      <div className="grid gap-7 p-10 pt-4 xl:p-12 xl:pt-4">
        <p className="max-w-md text-display font-semibold text-balance">{panel.title}</p>
        <ul className="grid gap-x-8 gap-y-4 border-t border-line-strong pt-6 xl:grid-cols-3">
          {[panel.control, panel.privacy, panel.speed].map(({ title, text }) => (
            <li key={title}>
              <p className="font-medium">{title}</p>
              <p className="mt-0.5 text-small text-ink-muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}

/** The door of the sign, ajar, with light from the room behind it. The floor goes on to both sides. */
function OpenDoor() {
  return (
    <div className="relative min-h-0 flex-1">
      <svg
        viewBox="0 0 600 420"
        aria-hidden="true"
        preserveAspectRatio="xMidYMax meet"
        className="absolute inset-0 size-full overflow-visible pt-10"
      >
        <defs>
          <linearGradient id="door-light" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" className="[stop-color:var(--ui-primary)] [stop-opacity:0.4]" />
            <stop offset="1" className="[stop-color:var(--ui-primary)] [stop-opacity:0]" />
          </linearGradient>
        </defs>
        <path d="M-900 310H1500" className="stroke-line-strong" />
        <path d="M318 310H372L600 420H236Z" fill="url(#door-light)" />
        <path d="M228 310V54a34 34 0 0 1 34-34h76a34 34 0 0 1 34 34v256Z" className="fill-primary/30" />
        <path
          d="M228 310V54a34 34 0 0 1 42-33l40 15q14 5 14 20v230Z"
          className="fill-surface stroke-line-strong"
        />
        <circle cx="310" cy="182" r="5" className="fill-primary-ink" />
        <path
          d="M228 310V54a34 34 0 0 1 34-34h76a34 34 0 0 1 34 34v256"
          fill="none"
          strokeWidth="3"
          className="stroke-primary-ink"
        />
      </svg>
    </div>
  );
}
