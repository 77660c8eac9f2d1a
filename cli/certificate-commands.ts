import { getSignature } from '../contract/provider/provider-api.ts'
import { getSeal } from '../contract/provider/provider-seals.ts'
import type { CommandContext, Command } from './command.ts'
import { plainText } from './plain-text.ts'
import { explainNotFound } from './portal-calls.ts'
import { exitCodes } from './cli-error.ts'

type Filed = { certificate: string; chain: string[] }

/** The certificates themselves are in the JSON only. */
const shorten = ({ certificate: _, chain: __, ...state }: Filed) => state

type Read = (portal: ReturnType<CommandContext['portal']>, id: string) => Promise<Filed>

const show =
  (name: 'signature' | 'seal', read: Read) =>
  async ({ operands: [id = ''], portal, printResult }: CommandContext): Promise<number> => {
    const state = await read(portal(), id).catch(explainNotFound(`The portal knows no ${name} ${id}.`))
    printResult(plainText({ [name]: id, ...shorten(state) }), { [name]: id, ...state })
    return exitCodes.done
  }

export const certificateCommands: readonly Command[] = [
  {
    name: 'signatures show',
    operands: ['SIGNATURE'],
    summary: 'show a signature, by your own id: its product, period and status',
    needs: 'portal',
    run: show('signature', (portal, signature) => portal.call(getSignature, { params: { signature } })),
  },
  {
    name: 'seals show',
    operands: ['SEAL'],
    summary: 'show a seal, by your own id: its product, period, status and PSD2 roles',
    needs: 'portal',
    run: show('seal', (portal, seal) => portal.call(getSeal, { params: { seal } })),
  },
]
