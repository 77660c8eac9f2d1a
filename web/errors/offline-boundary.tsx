import { Component, type ReactNode } from 'react'
import { failedWith } from '../calls/api.ts'
import { OfflineMessage } from './offline-screen.tsx'

type State = { error?: unknown }

/** Around a screen: while its code cannot be loaded because the network is missing, the frame and its menu stay (ERR-4). */
export class OfflineBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('unknown') }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!failedWith(error, 'offline')) throw error
    return <OfflineMessage />
  }
}
