import { runRenewalModel } from '../server/testing/renewals/renewal-walk.ts'
import { openRenewalPortal } from '../server/testing/samples/sample-renewals.ts'

/** The first message to a lane; portions follow, each of which it answers with its result. */
export type Lane = { postgres: string }
export type Portion = { steps: number; seed: number }

const { postgres } = await new Promise<Lane>((resolve) => process.once('message', resolve))
const renewalPortal = await openRenewalPortal({ sharedKey: true, logsErrors: true, postgres })
process.on('message', (portion: Portion) => {
  void runRenewalModel(renewalPortal, portion).then((run) => process.send!(run))
})
process.once('disconnect', () => void renewalPortal.close().then(() => process.exit()))
