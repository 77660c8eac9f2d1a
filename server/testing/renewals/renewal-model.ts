import { openStates, type RenewalState } from '../../../contract/renewal.ts'

/**
 * A model of a renewal as plain data, with the effect of each call. Tests compare the server with it, call by call, with two
 * tabs on two nodes that use the state that they saw last (R56).
 */
export type Model = {
  state: RenewalState
  version: number
  years: 1 | 2 | 3
  /** Whether the parameters have been stored; before that, the page shows those of the renewed certificate. */
  saved: boolean
  frozen: boolean
  identity: 'asked' | 'confirmed' | null
  /** The hash of the stored agreement. */
  agreement: string | null
  /** The version for which each tab has an unused code. */
  codes: [number | null, number | null]
  signed: boolean
}

export type Seen = Pick<Model, 'state' | 'version' | 'agreement'>

/** An action in the walk through a renewal: a call, or `lapse`, by which the renewal expires. */
export type Action =
  | { name: 'save' | 'fix'; years: 1 | 2 | 3 }
  | { name: 'document' | 'confirm' | 'return' | 'start' | 'decline' | 'finish' | 'open' | 'sign' | 'sign-wrong' }
  | { name: 'judge' | 'agree' | 'issue' | 'not-issued' | 'deliver' | 'deliver-refused' | 'lapse' }

export type Outcome = { result: string; next: Model }

/** A renewal as its code opens it. */
export const freshModel: Model = {
  state: 'parameters',
  version: 1,
  years: 2,
  saved: false,
  frozen: false,
  identity: null,
  agreement: null,
  codes: [null, null],
  signed: false,
}

const stay = (model: Model, result: string): Outcome => ({ result, next: model })
const go = (model: Model, changes: Partial<Model>): Outcome => ({
  result: 'ok',
  next: { ...model, ...changes, version: model.version + 1 },
})

/** Returns the expected outcome of an action in a tab that last saw the renewal as `seen`. */
export function expected(model: Model, action: Action, tab: 0 | 1, seen: Seen, nextAgreement: string): Outcome {
  const fits = seen.state === model.state && seen.version === model.version
  const from = (...states: RenewalState[]) => fits && states.includes(model.state)
  const passed = stay(model, 'state-passed')
  const isPending = model.identity === 'asked'
  switch (action.name) {
    case 'open':
      // The code of an expired renewal opens another one.
      return model.state === 'expired' ? { result: 'ok', next: freshModel } : stay(model, 'ok')
    case 'save': {
      const isRepeated =
        seen.state === 'parameters' &&
        model.state === 'parameters' &&
        model.version === seen.version + 1 &&
        model.saved &&
        model.years === action.years
      return isRepeated
        ? stay(model, 'ok')
        : from('parameters')
          ? go(model, { years: action.years, saved: true })
          : passed
    }
    case 'fix':
      if (!from('parameters')) return passed
      return isPending
        ? stay(model, 'renewal-refused')
        : go(model, { state: 'personal-data', years: action.years, saved: true, frozen: true })
    case 'document':
      return from('parameters', 'personal-data') ? go(model, { identity: 'asked' }) : passed
    case 'confirm':
      if (!from('personal-data')) return passed
      return isPending ? stay(model, 'renewal-refused') : go(model, { state: 'signing', agreement: null })
    case 'return':
      return from('signing') ? go(model, { state: 'personal-data', agreement: null }) : passed
    case 'decline':
      return from('signing') ? go(model, { state: 'declined' }) : passed
    case 'finish':
      return from('issued') ? go(model, { state: 'finished' }) : passed
    case 'start':
    case 'sign':
    case 'sign-wrong': {
      if (seen.state !== 'signing' || model.state !== 'signing') return passed
      if (!model.agreement) return stay(model, 'agreement-not-ready')
      if (!fits || seen.agreement !== model.agreement) return stay(model, 'signing-changed')
      const codes = model.codes.with(tab, model.version) as Model['codes']
      if (action.name === 'start') return { result: 'ok', next: { ...model, codes } }
      if (model.codes[tab] !== model.version) return stay(model, 'code-void')
      if (action.name === 'sign-wrong') return stay(model, 'code-wrong')
      return go(model, { state: 'authorised', codes: model.codes.with(tab, null) as Model['codes'] })
    }
    case 'judge':
      return isPending && (model.state === 'parameters' || model.state === 'personal-data')
        ? go(model, { identity: 'confirmed' })
        : passed
    case 'agree':
      return model.state === 'signing' ? go(model, { agreement: nextAgreement }) : passed
    case 'issue':
      if (model.state === 'issued' || model.state === 'finished') return stay(model, 'ok')
      return model.state === 'signed' ? go(model, { state: 'issued' }) : passed
    case 'not-issued':
      if (model.state === 'failed') return stay(model, 'ok')
      return model.state === 'signed' ? go(model, { state: 'failed' }) : passed
    case 'deliver':
      return model.state === 'authorised' ? go(model, { state: 'signed', signed: true }) : stay(model, 'ok')
    case 'deliver-refused':
      return model.state === 'authorised' ? go(model, { state: 'signing' }) : stay(model, 'ok')
    case 'lapse':
      // The database stores this state only when its code is entered again.
      return (openStates as readonly RenewalState[]).includes(model.state)
        ? { result: 'ok', next: { ...model, state: 'expired' } }
        : stay(model, 'ok')
  }
}

/** The actions that make progress from each state, so that walks reach every end. */
export const progress: Record<RenewalState, readonly Action['name'][]> = {
  parameters: ['fix', 'fix', 'save', 'judge', 'document'],
  'personal-data': ['confirm', 'confirm', 'confirm', 'judge', 'document'],
  signing: ['agree', 'start', 'start', 'sign', 'sign', 'sign', 'return', 'decline'],
  authorised: ['deliver', 'deliver', 'deliver-refused'],
  signed: ['issue', 'issue', 'issue', 'not-issued'],
  issued: ['finish', 'issue'],
  finished: ['issue'],
  declined: ['sign'],
  expired: ['open', 'open', 'confirm', 'sign'],
  failed: ['not-issued', 'issue'],
}
