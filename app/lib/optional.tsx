/** A part that a page can do without: when it fails, something else stands in or nothing does, and the page stays. */
import { Component, type ReactNode } from 'react';
import { recordPageError, toPageError } from './error-payload.ts';

/** `otherwise` stands in. */
interface OptionalProps {
  otherwise?: ReactNode;
  children: ReactNode;
}

/** See the head of this file. */
export class Optional extends Component<OptionalProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    recordPageError({ ...toPageError(error, 'rendering'), fatal: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.otherwise : this.props.children;
  }
}
