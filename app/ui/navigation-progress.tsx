/**
 * A thin progress bar at the top while the next page loads; it does not appear for fast navigations (see
 * app.css).
 */
import { useNavigation } from 'react-router';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/use-texts.ts';

/** Place it once, in the landmark of the page that loads. Its position is fixed above everything. */
export function NavigationProgress() {
  const isNavigating = useNavigation().state !== 'idle';
  const texts = useTexts(commonTexts);
  if (!isNavigating) return null;
  return (
    <div
      role="progressbar"
      aria-label={texts.loadingPage}
      className="navigation-progress pointer-events-none fixed inset-x-0 top-0 z-(--layer-progress) h-0.5"
    />
  );
}
