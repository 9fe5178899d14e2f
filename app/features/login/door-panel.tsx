/**
 * Presents Greenroom next to the sign-in form. Only on wide screens; it contains nothing that the sign-in
 * needs.
 */
import { usePage } from '../../lib/page/page-context.tsx';
import { loginTexts } from '../../texts/login.ts';
import { useTexts } from '../../texts/use-texts.ts';

/** The panel next to the sign-in form. */
export function DoorPanel() {
  const { panel } = useTexts(loginTexts);
  const { captcha, site } = usePage().config;
  // A captcha loads a third-party script, which contradicts the other two points.
  const points = captcha ? [panel.sessions] : [panel.sessions, panel.privacy, panel.withoutScripts];
  return (
    <aside
      className="door-panel sticky top-3 m-3 ms-0 hidden h-[calc(100dvh-1.5rem)] min-h-136 flex-col overflow-hidden
      rounded-dialog border border-line lg:flex"
    >
      <div className="open-door mt-10 min-h-0 flex-1" />
      <div className="grid gap-7 p-10 pt-4 xl:p-12 xl:pt-4">
        <p className="max-w-md text-display font-semibold text-balance">{site?.name ?? panel.title}</p>
        <ul className="grid gap-x-8 gap-y-4 border-t border-line-strong pt-6 xl:grid-cols-3">
          {points.map(({ title, text }) => (
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
