import { ApiError } from '../calls/api.ts'
import type { StepAnswer, StepName, Steps } from './file-signing-worker.ts'
import type { FileProblem } from './signed-file.ts'

/** A file that cannot be signed, found in the worker. */
export class FileRefused extends Error {
  readonly problem: FileProblem
  constructor(problem: FileProblem) {
    super(problem)
    this.problem = problem
  }
}

/**
 * Runs a step of signing one file in a worker of its own, which ends with it, so that its memory is free. Throws FileRefused, and the
 * reason of `stopped`.
 */
export async function runStep<S extends StepName>(
  step: S,
  needs: Steps[S]['needs'],
  stopped?: AbortSignal,
): Promise<Steps[S]['returns']> {
  stopped?.throwIfAborted()
  const worker = new Worker(new URL('file-signing-worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await new Promise<StepAnswer<S>>((resolve, reject) => {
      stopped?.addEventListener('abort', () => reject(stopped.reason))
      worker.addEventListener('message', ({ data }: MessageEvent<StepAnswer<S>>) => resolve(data))
      // The worker has no memory left, or was not loaded.
      worker.addEventListener('error', () => resolve({ failed: true }))
      worker.postMessage({ step, needs })
    })
    if ('problem' in answer) throw new FileRefused(answer.problem)
    if ('failed' in answer) throw failureOf(step)
    return answer.returns
  } finally {
    worker.terminate()
  }
}

/** Returns the failure of a step: before the signature a file is refused; after it the browser has failed. */
const failureOf = (step: StepName) =>
  step === 'inspect' || step === 'prepare' ? new FileRefused('too-costly') : new ApiError('unexpected')
