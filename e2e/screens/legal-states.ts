import { statesOf } from './screen-state.ts'

export const states = [
  ...statesOf('accessibility')({ statement: {} }),
  ...statesOf('privacy')({ notice: {}, 'signed-in': { customer: 'oliver', shows: '.app h1' } }),
  ...statesOf('terms')({ text: {} }),
]
