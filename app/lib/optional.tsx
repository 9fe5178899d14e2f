/**
 * Error boundary for a part that a page can do without: if it fails, a fallback or nothing is shown, and
 * the page stays.
 */
import { Component, type ReactNode } from 'react';
import { recordPageError, toPageError } from './error-payload.ts';

/** `fallback` is the fallback. */
interface OptionalProps {
  fallback?: ReactNode;
  children: ReactNode;
}

/** Error boundary that keeps the rest of the page. */
export class Optional extends Component<OptionalProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    recordPageError({ ...toPageError(error, 'rendering'), fatal: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
