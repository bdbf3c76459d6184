import type { ReactNode } from 'react';
import { Component } from 'react';

/**
 * Contains an error within one part of the page. When `resetKey` changes (another screen), the error is
 * cleared.
 */
export class ErrorBoundary extends Component<
  {
    fallback: (error: Error, retry: () => void) => ReactNode;
    onError?: (error: Error) => void;
    resetKey?: string;
    children: ReactNode;
  },
  { error: Error | null; resetKey: string | undefined }
> {
  override state: { error: Error | null; resetKey: string | undefined } = {
    error: null,
    resetKey: this.props.resetKey,
  };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  static getDerivedStateFromProps(props: { resetKey?: string }, state: { resetKey: string | undefined }) {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override componentDidCatch(error: Error) {
    this.props.onError?.(error);
  }

  override render() {
    const { error } = this.state;
    return error ? this.props.fallback(error, () => this.setState({ error: null })) : this.props.children;
  }
}
