/**
 * The outermost error boundary in the browser: a page whose hydration fails shows its error instead of
 * nothing.
 */
import { Component, type ReactNode } from 'react';
import { recordPageError, toPageError } from '../../lib/error-payload.ts';
import { StartupErrorDocument } from './startup-error-document.tsx';

/** Error boundary around the whole document. */
export class MountBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    recordPageError(toPageError(error, 'mounting'));
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <StartupErrorDocument /> : this.props.children;
  }
}
