export type StepState = 'completed' | 'active' | 'inactive'

/** Steps count from 1. In linear mode at most the step after the current one can be reached (UIX-3). */
export const stepState = (step: number, current: number): StepState =>
  step < current ? 'completed' : step === current ? 'active' : 'inactive'

export const isReachable = (step: number, current: number, linear = true) => !linear || step <= current + 1
