import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Uuid } from './fields.ts'
import { CodeForm, CodeSent, codeRefusals, notSent, SecondFactor } from './one-time-code.ts'
import { Session } from './session.ts'
import { StepUpPurpose } from './step-up-purpose.ts'

export const StepUpAction = component(
  'StepUpAction',
  'An action to be confirmed.',
  z.strictObject({
    purpose: StepUpPurpose,
    object: described('The id of the object; without it, the action concerns the account itself.', z.optional(Uuid)),
  }),
)
export type StepUpAction = z.infer<typeof StepUpAction>

export const startStepUp = endpoint('customer', 'POST /api/step-up', {
  summary:
    'Sends an SMS code that confirms one action on one object, unless the customer has a passkey and `by` is missing',
  description: 'A call that answered `step-up-required` names its purpose in `x-step-up`.',
  body: z.extend(StepUpAction, {
    by: described('Asks for an SMS code, also if the customer has a passkey.', z.optional(z.literal('sms'))),
  }),
  reply: SecondFactor,
  errors: ['not-found', ...notSent],
})

export const enterStepUpCode = endpoint('customer', 'POST /api/step-up/:id/code', {
  summary: 'Confirms the action; the call that asked for it can then be repeated',
  description: 'The confirmation holds for one purpose and one object.',
  body: CodeForm,
  idempotent: 'code',
  reply: Session,
  errors: [...codeRefusals, 'not-found'],
})

export const resendStepUpCode = endpoint('customer', 'POST /api/step-up/:id/code/resend', {
  summary: 'Sends a new SMS code for the action and voids the previous one',
  description: 'Waits and limits apply: `resendAt` and `sendsLeft` of the previous code.',
  reply: CodeSent,
  errors: ['resend-too-early', ...notSent, 'code-expired', 'code-void', 'not-found'],
})
